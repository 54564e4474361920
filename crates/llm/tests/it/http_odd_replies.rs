//! What endpoints send instead of a plain reply: each is a typed outcome.

use textualrl_llm::{ChatError, ChatModel, ChatReply, Finish};
use textualrl_model::Usage;
use textualrl_model::settings::ApiStyle;

use crate::scripted_model::{http, identity, request, settings};
use crate::scripted_server::{Answer, Server};

/// The outcome and the number of requests if the endpoint always sends this.
async fn outcome(api: ApiStyle, answer: Answer) -> (Result<ChatReply, ChatError>, usize) {
    let server = Server::answering(vec![answer]).await;
    let mut settings = settings(&server.url("/v1"));
    settings.api = api;
    let outcome = http(&settings).chat(&request("hi"), &identity()).await;
    (outcome, server.asked().len())
}

async fn chat(body: &str) -> (Result<ChatReply, ChatError>, usize) {
    outcome(ApiStyle::ChatCompletions, Answer::new(200, body)).await
}

fn choice(message: &str, finish: &str) -> String {
    format!(r#"{{"choices":[{{"message":{message},"finish_reason":{finish}}}]}}"#)
}

#[tokio::test]
async fn tolerated_forms_give_the_reply() {
    let parts = r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hmm"}]},{"type":"text","text":"Par"},{"type":"text","text":"is"},{"type":"reference","reference_ids":[1]}]}"#;
    let plain = r#"{"content":"Paris"}"#;
    let stream = "data: {\"choices\":[{\"delta\":{\"content\":\"Par\"}}]}\n\ndata:{\"choices\":[{\"delta\":{\"content\":\"is\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let cases = [
        ("MIO-10", choice(parts, "\"stop\""), Finish::Stop),
        ("MIO-07 empty", choice(plain, "\"\""), Finish::Stop),
        ("MIO-07 null", choice(plain, "null"), Finish::Stop),
        ("MIO-07 unknown", choice(plain, "\"eos\""), Finish::Other("eos".into())),
        ("MIO-07 a number", choice(plain, "7"), Finish::Stop),
        ("length", choice(plain, "\"length\""), Finish::Length),
        ("filter", choice(plain, "\"content_filter\""), Finish::Refused),
        ("MIO-05", stream.to_owned(), Finish::Stop),
        (
            "fractional created, unknown tier",
            format!(r#"{{"created":1.5,"service_tier":"x","error":null,{}"#, &choice(plain, "\"stop\"")[1..]),
            Finish::Stop,
        ),
    ];
    for (name, body, finish) in cases {
        let (reply, calls) = chat(&body).await;
        let reply = reply.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((reply.turn.joined_text().as_str(), reply.finish, calls), ("Paris", finish, 1), "{name}");
        assert_eq!(reply.usage, Usage::default(), "{name}: missing usage is unknown");
    }
}

#[tokio::test]
async fn thinking_is_kept_apart() {
    for field in ["reasoning_content", "reasoning"] {
        let (reply, _) = chat(&choice(&format!(r#"{{"content":"a","{field}":"b"}}"#), "null")).await;
        let turn = reply.unwrap().turn;
        assert_eq!((turn.joined_text().as_str(), turn.reasoning.as_deref()), ("a", Some("b")));
    }
    // MIO-23: present but empty is not absent.
    let (reply, _) = chat(&choice(r#"{"content":"a","reasoning_content":""}"#, "null")).await;
    assert_eq!(reply.unwrap().turn.reasoning.as_deref(), Some(""));
    // The cap reached inside the reasoning is the model's own end, not the endpoint's fault.
    let (reply, calls) = chat(&choice(r#"{"content":null,"reasoning_content":"b"}"#, "\"length\"")).await;
    assert_eq!((reply.unwrap().finish, calls), (Finish::Length, 1));
}

#[tokio::test]
async fn partial_usage_is_partly_unknown() {
    let body = r#"{"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":4,"total_tokens":null}}"#;
    assert_eq!(chat(body).await.0.unwrap().usage, Usage { input: Some(4), output: None });
}

#[tokio::test]
async fn tool_calls_keep_malformed_arguments() {
    let message = r#"{"content":null,"tool_calls":[{"id":"c1","function":{"name":"act","arguments":"{\"cmd\": \"go to de"}},{"function":{"name":"look","arguments":{"x":1}}},{"function":{}}]}"#;
    let (reply, _) = chat(&choice(message, "\"tool_calls\"")).await;
    let reply = reply.unwrap();
    let calls: Vec<_> =
        reply.turn.tool_calls.iter().map(|call| (call.id.as_str(), call.arguments.as_str())).collect();
    assert_eq!(calls, [("c1", "{\"cmd\": \"go to de"), ("call_1", "{\"x\":1}")]);
    assert_eq!(reply.finish, Finish::ToolCalls);
}

#[tokio::test]
async fn streamed_tool_calls_are_put_together() {
    let piece = |calls: &str, finish: &str| {
        format!(
            "data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{calls}]}},\"finish_reason\":{finish}}}]}}\n\n"
        )
    };
    let body = [
        ": keep-alive\n\n".to_owned(),
        piece(r#"{"index":0,"id":"a","function":{"name":"act","arguments":""}}"#, "null"),
        piece(r#"{"index":0,"function":{"arguments":"{\"x\""}}"#, "null"),
        piece(r#"{"index":1,"id":"b","function":{"name":"look","arguments":"{}"}}"#, "null"),
        piece(r#"{"index":0,"function":{"arguments":":1}"}}"#, "\"tool_calls\""),
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2}}\n\ndata: [DONE]\n\n"
            .to_owned(),
    ];
    let reply = chat(&body.concat()).await.0.unwrap();
    let calls: Vec<_> =
        reply.turn.tool_calls.iter().map(|call| (&*call.id, &*call.name, &*call.arguments)).collect();
    assert_eq!(calls, [("a", "act", r#"{"x":1}"#), ("b", "look", "{}")]);
    assert_eq!(reply.usage, Usage { input: Some(1), output: Some(2) });
}

#[tokio::test]
async fn what_is_no_reply_is_malformed_and_retried_in_bounds() {
    let cases = [
        (
            "MIO-01",
            choice(r#"{"content":null,"reasoning_content":"I would"}"#, "\"stop\""),
            "reasoning only",
            2,
        ),
        ("MIO-03 null", r#"{"id":null,"choices":null,"usage":null}"#.to_owned(), "no choice", 3),
        ("MIO-03 empty", r#"{"choices":[],"usage":{"prompt_tokens":5}}"#.to_owned(), "no choice", 3),
        ("empty text", choice(r#"{"content":""}"#, "\"stop\""), "empty", 3),
        ("finish error", choice(r#"{"content":"Par"}"#, "\"error\""), "broke off", 3),
        ("MIO-09", "<html>Sign in</html>".to_owned(), "<html>Sign in</html>", 3),
        ("cut JSON", r#"{"choices":[{"mess"#.to_owned(), "EOF", 3),
        ("MIO-02 without code", r#"{"error":"overloaded"}"#.to_owned(), "overloaded", 3),
        (
            "MIO-05 cut",
            "data: {\"choices\":[{\"delta\":{\"content\":\"Par\"}}]}\n\n".to_owned(),
            "streams",
            3,
        ),
    ];
    for (name, body, said, expected_calls) in cases {
        let (outcome, calls) = chat(&body).await;
        match outcome {
            Err(ChatError::Malformed { endpoint, message }) => {
                assert!(message.contains(said), "{name}: {message}");
                assert!(endpoint.starts_with("target at http://127.0.0.1:"), "{name}: {endpoint}");
            }
            other => panic!("{name}: {other:?}"),
        }
        assert_eq!(calls, expected_calls, "{name}");
    }
}

#[tokio::test]
async fn an_error_in_a_200_has_the_status_that_it_names() {
    let error = |code: &str| format!(r#"{{"error":{{"message":"Upstream error","code":{code}}}}}"#);
    for code in ["429", "\"429\""] {
        let (outcome, calls) = chat(&error(code)).await;
        assert!(matches!(outcome, Err(ChatError::RateLimited { .. })), "{outcome:?}");
        assert_eq!(calls, 3);
    }
    let (outcome, calls) = chat(&error("502")).await;
    assert!(
        matches!(outcome, Err(ChatError::Transport { message, .. }) if message.contains("Upstream error"))
    );
    assert_eq!(calls, 3);
    let (outcome, calls) = chat(&error("404")).await;
    assert!(matches!(outcome, Err(ChatError::Rejected { status: 404, .. })), "{outcome:?}");
    assert_eq!(calls, 1);
}

#[tokio::test]
async fn a_body_that_breaks_off_is_a_transport_failure() {
    let (outcome, calls) = outcome(ApiStyle::ChatCompletions, Answer::said("Paris").cut_after(20)).await;
    assert!(matches!(outcome, Err(ChatError::Transport { .. })), "{outcome:?}");
    assert_eq!(calls, 3);
}

#[tokio::test]
async fn responses_are_read_in_their_own_form() {
    let whole = r#"{"status":"completed","error":null,"output":[{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]},{"type":"web_search_call"},{"type":"message","content":[{"type":"output_text","text":"Paris"}]}],"usage":{"input_tokens":3,"output_tokens":4}}"#;
    let streamed = format!(
        "event: response.created\ndata: {{\"type\":\"response.created\"}}\n\nevent: response.completed\ndata: {{\"type\":\"response.completed\",\"response\":{whole}}}\n\n"
    );
    for body in [whole, &streamed] {
        let (reply, _) = outcome(ApiStyle::Responses, Answer::new(200, body)).await;
        let reply = reply.unwrap();
        assert_eq!((reply.turn.joined_text().as_str(), reply.finish), ("Paris", Finish::Stop));
        assert_eq!(reply.turn.reasoning.as_deref(), Some("hm"));
        assert_eq!(reply.usage, Usage { input: Some(3), output: Some(4) });
    }
    let cases = [
        (
            r#"{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[]}"#,
            Finish::Length,
        ),
        (r#"{"output":[{"type":"message","content":[{"type":"refusal","refusal":"no"}]}]}"#, Finish::Refused),
        (
            r#"{"output":[{"type":"function_call","call_id":"c","name":"act","arguments":"{}"}]}"#,
            Finish::ToolCalls,
        ),
    ];
    for (body, finish) in cases {
        let (reply, _) = outcome(ApiStyle::Responses, Answer::new(200, body)).await;
        assert_eq!(reply.unwrap().finish, finish, "{body}");
    }
    for body in
        [r#"{"output":[]}"#, r#"{"status":"failed","error":{"message":"x"}}"#, r#"{"status":"failed"}"#]
    {
        let (outcome, _) = outcome(ApiStyle::Responses, Answer::new(200, body)).await;
        assert!(matches!(outcome, Err(ChatError::Malformed { .. })), "{body}");
    }
}
