//! What is sent: bodies in both request forms, and nothing that was not asked for.

use serde_json::{Value, json};
use textualrl_llm::{ChatModel, ChatRequest, ReplySchema, ToolDefinition};
use textualrl_model::settings::{
    ApiStyle, EndpointSettings, OutputCapField, SchemaSupport, Temperature, Thinking,
};
use textualrl_model::{Part, Role, ToolCall, Turn};

use crate::scripted_model::{http, identity, request, settings};
use crate::scripted_server::{Answer, Server};

async fn sent(change: impl Fn(&mut EndpointSettings), request: &ChatRequest) -> (Value, String) {
    let server = Server::answering(vec![Answer::said("ok")]).await;
    let mut settings = settings(&server.url("/v1/"));
    change(&mut settings);
    let answer = http(&settings).chat(request, &identity()).await;
    if settings.api == ApiStyle::ChatCompletions {
        answer.unwrap();
    }
    let asked = server.asked().remove(0);
    (asked.body, asked.head)
}

#[tokio::test]
async fn a_plain_request_holds_nothing_else() {
    let (body, head) = sent(|_| {}, &request("hi")).await;
    let messages = json!([{"role": "user", "content": "hi"}]);
    assert_eq!(body, json!({"model": "m", "messages": messages, "temperature": 0.7, "max_tokens": 100}));
    assert!(head.starts_with("POST /v1/chat/completions HTTP/1.1"), "{head}");
    assert!(!head.to_lowercase().contains("authorization"));
}

#[tokio::test]
async fn each_setting_has_its_field() {
    type Change = fn(&mut EndpointSettings);
    let cases: [(&str, Change, &str, Option<Value>); 12] = [
        (
            "MIO-12 cap",
            |s| s.output_cap_field = OutputCapField::MaxCompletionTokens,
            "/max_completion_tokens",
            Some(json!(100)),
        ),
        (
            "MIO-12 other cap",
            |s| s.output_cap_field = OutputCapField::MaxOutputTokens,
            "/max_output_tokens",
            Some(json!(100)),
        ),
        ("MIO-12 no cap", |s| s.output_cap_field = OutputCapField::None, "/max_tokens", None),
        ("MIO-12 temperature", |s| s.temperature = Temperature::None, "/temperature", None),
        (
            "a fixed temperature",
            |s| s.temperature = Temperature::Fixed(1.0),
            "/temperature",
            Some(json!(1.0)),
        ),
        ("MIO-13 unset", |s| s.thinking = Thinking::Unset, "/chat_template_kwargs", None),
        (
            "MIO-13 on",
            |s| s.thinking = Thinking::On,
            "/chat_template_kwargs/enable_thinking",
            Some(json!(true)),
        ),
        (
            "MIO-13 off",
            |s| s.thinking = Thinking::Off,
            "/chat_template_kwargs/enable_thinking",
            Some(json!(false)),
        ),
        ("effort", |s| s.reasoning_effort = "low".into(), "/reasoning_effort", Some(json!("low"))),
        ("schema", |_| {}, "/response_format/json_schema/name", Some(json!("reply"))),
        ("no schema", |s| s.schema = SchemaSupport::PromptOnly, "/response_format", None),
        ("extra", |s| drop(s.extra_body.insert("top_k".into(), json!(5))), "/top_k", Some(json!(5))),
    ];
    let mut request = request("hi");
    request.schema = Some(ReplySchema { name: "reply".into(), schema: json!({"type": "object"}) });
    for (name, change, place, value) in cases {
        let (body, _) = sent(change, &request).await;
        assert_eq!(body.pointer(place), value.as_ref(), "{name}: {body}");
    }
}

/// A conversation with an image, a tool call with empty reasoning, and its result.
fn tool_conversation() -> ChatRequest {
    let mut request = request("look");
    request.seed = Some(42);
    request.turns[0].content.push(Part::Image { media_type: "image/png".into(), base64: "AAAA".into() });
    let call = ToolCall { id: "c1".into(), name: "act".into(), arguments: "{\"cmd\": \"go".into() };
    request.turns.push(Turn {
        role: Role::Assistant,
        content: Vec::new(),
        tool_calls: vec![call],
        tool_call_id: None,
        reasoning: Some(String::new()),
    });
    request.turns.push(Turn { tool_call_id: Some("c1".into()), ..Turn::text(Role::Tool, "done") });
    request.turns.push(Turn { reasoning: Some("hm".into()), ..Turn::text(Role::Assistant, "well") });
    let parameters = json!({"type": "object"});
    request.tools = vec![ToolDefinition { name: "act".into(), description: "acts".into(), parameters }];
    request
}

#[tokio::test]
async fn tools_images_and_reasoning_in_chat_completions() {
    let (body, _) = sent(|_| {}, &tool_conversation()).await;
    assert_eq!(
        body["messages"],
        json!([
            {"role": "user", "content": [
                {"type": "text", "text": "look"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
            ]},
            {"role": "assistant", "content": null, "reasoning_content": "", "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "act", "arguments": "{\"cmd\": \"go"}},
            ]},
            {"role": "tool", "content": "done", "tool_call_id": "c1"},
            {"role": "assistant", "content": "well"},
        ])
    );
    assert_eq!(body["seed"], 42);
    assert_eq!(body["tools"][0]["function"]["name"], "act");
}

#[tokio::test]
async fn tools_images_and_schema_in_responses() {
    let mut request = tool_conversation();
    request.schema = Some(ReplySchema { name: "reply".into(), schema: json!({"type": "object"}) });
    let change = |settings: &mut EndpointSettings| {
        settings.api = ApiStyle::Responses;
        settings.attempts = 1;
        settings.output_cap_field = OutputCapField::MaxOutputTokens;
        settings.reasoning_effort = "high".into();
    };
    let (body, head) = sent(change, &request).await;
    assert!(head.starts_with("POST /v1/responses HTTP/1.1"), "{head}");
    assert_eq!(
        body,
        json!({
            "model": "m", "temperature": 0.7, "seed": 42, "max_output_tokens": 100,
            "reasoning": {"effort": "high"},
            "text": {"format": {"type": "json_schema", "name": "reply", "schema": {"type": "object"}}},
            "tools": [{"type": "function", "name": "act", "description": "acts", "parameters": {"type": "object"}}],
            "input": [
                {"role": "user", "content": [
                    {"type": "input_text", "text": "look"},
                    {"type": "input_image", "image_url": "data:image/png;base64,AAAA"},
                ]},
                {"type": "function_call", "call_id": "c1", "name": "act", "arguments": "{\"cmd\": \"go"},
                {"type": "function_call_output", "call_id": "c1", "output": "done"},
                {"role": "assistant", "content": "well"},
            ],
        })
    );
}

#[tokio::test]
async fn every_spelling_of_the_base_url_reaches_one_path() {
    for path in ["", "/", "/v1", "/v1/", "/v1/chat/completions", "/v1/chat/completions/"] {
        let server = Server::answering(vec![Answer::said("ok")]).await;
        http(&settings(&server.url(path))).chat(&request("hi"), &identity()).await.unwrap();
        let head = &server.asked()[0].head;
        assert!(head.starts_with("POST /v1/chat/completions "), "{path}: {head}");
    }
}

#[tokio::test]
async fn what_decides_answers_is_part_of_the_description() {
    let base = settings("http://h");
    let description = |change: fn(&mut EndpointSettings)| {
        let mut settings = base.clone();
        change(&mut settings);
        http(&settings).describe().clone()
    };
    let plain = description(|_| {});
    let harmless: [fn(&mut EndpointSettings); 3] =
        [|s| s.concurrency = 1, |s| s.timeout_seconds = 1.0, |s| s.base_url = "http://h/v1/".into()];
    for change in harmless {
        assert_eq!(description(change), plain);
    }
    let deciding: [fn(&mut EndpointSettings); 5] = [
        |s| s.output_cap = 7,
        |s| s.thinking = Thinking::Off,
        |s| s.model = "other".into(),
        |s| s.base_url = "http://other".into(),
        |s| drop(s.extra_body.insert("top_k".into(), json!(1))),
    ];
    for change in deciding {
        assert_ne!(description(change), plain);
    }
    assert!(!plain.simulated && description(|s| s.model = "simulated-target".into()).simulated);
}
