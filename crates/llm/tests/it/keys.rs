//! A canary key must be in the request's header and nowhere else.

use serde_json::json;
use textualrl_llm::{ChatModel, EndpointError, EndpointPool, HttpModel};
use textualrl_model::settings::EndpointSettings;

use crate::scripted_model::{http, identity, request, settings};
use crate::scripted_server::{Answer, Server};

/// A variable that every shell and test runner sets.
const SET_VARIABLE: &str = "PATH";

#[tokio::test]
async fn the_key_is_sent_and_shown_nowhere() {
    let canary = std::env::var(SET_VARIABLE).unwrap().trim().to_owned();
    let echo = json!({"error": {"message": format!("the key {canary} is wrong"), "code": canary}});
    for status in [200, 401, 400, 500] {
        for body in [echo.to_string(), format!("plain {canary}")] {
            let server = Server::answering(vec![Answer::new(status, body)]).await;
            let mut settings = settings(&server.url(""));
            settings.key_env = SET_VARIABLE.to_owned();
            settings.attempts = 1;
            let model = http(&settings);
            let error = model.chat(&request("hi"), &identity()).await.unwrap_err();
            let head = &server.asked()[0].head;
            assert!(head.contains(&format!("authorization: Bearer {canary}")), "{head}");
            let shown = format!("{error} {error:?} {model:?} {:?}", model.describe());
            assert!(!shown.contains(&canary), "{shown}");
        }
    }
}

fn refusal(change: impl Fn(&mut EndpointSettings)) -> EndpointError {
    let mut settings = settings("http://h");
    change(&mut settings);
    let pool = EndpointPool::new([("optimizer", &settings)]).unwrap();
    HttpModel::new("optimizer", &settings, &pool).unwrap_err()
}

#[test]
fn a_missing_key_names_variable_role_and_remedy() {
    let message = refusal(|settings| settings.key_env = "TEXTUALRL_NO_SUCH_KEY".into()).to_string();
    for part in ["[optimizer]", "TEXTUALRL_NO_SUCH_KEY", "set it"] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn keys_in_the_configuration_are_refused_unseen() {
    for name in ["Authorization", "x-api-key", "api-key", "X-Auth-Token", "Proxy-Authorization", "Cookie"] {
        let error = refusal(|settings| drop(settings.extra_headers.insert(name.into(), "SECRET123".into())));
        assert!(matches!(&error, EndpointError::Secret { place, .. } if place.contains(name)), "{error}");
        assert!(!format!("{error} {error:?}").contains("SECRET123"));
    }
    for name in ["api_key", "apikey", "password", "token"] {
        let error = refusal(|settings| drop(settings.extra_body.insert(name.into(), json!("SECRET123"))));
        assert!(matches!(error, EndpointError::Secret { .. }), "{error}");
    }
}

#[test]
fn fields_of_ours_are_refused_as_extras() {
    for name in ["model", "messages", "stream", "temperature", "max_tokens", "n"] {
        let error = refusal(|settings| drop(settings.extra_body.insert(name.into(), json!(1))));
        assert!(matches!(&error, EndpointError::OwnField { name: field, .. } if field == name), "{error}");
    }
    let error = refusal(|settings| drop(settings.extra_headers.insert("bad name".into(), "x".into())));
    assert!(matches!(error, EndpointError::Header { .. }));
}
