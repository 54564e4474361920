//! The least that a client can do: one request sent many times, the replies read and dropped. What the tool is measured
//! against.
//!
//! `bare_loop URL BODY_FILE CALLS CONCURRENCY` prints the seconds that the calls took.
//!
//! Always holds: connections are kept and shared as the tool does; nothing is retried, recorded or looked into.
#![allow(missing_docs, clippy::unwrap_used)]

use std::error::Error;
use std::time::Instant;

use futures_util::{StreamExt, TryStreamExt, stream};
use reqwest::header::CONTENT_TYPE;
use textualrl_llm::install_crypto_provider;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, body, calls, concurrency] = arguments.as_slice() else {
        return Err("usage: bare_loop URL BODY_FILE CALLS CONCURRENCY".into());
    };
    let body = std::fs::read(body)?;
    let (calls, concurrency): (usize, usize) = (calls.parse()?, concurrency.parse()?);
    install_crypto_provider();
    let client = reqwest::Client::builder().http1_only().no_proxy().tls_certs_only([]).build()?;
    let began = Instant::now();
    let requests = stream::iter(0..calls).map(|_| {
        let request = client.post(url).header(CONTENT_TYPE, "application/json").body(body.clone());
        let call = async { request.send().await?.error_for_status()?.bytes().await };
        async { tokio::spawn(call).await }
    });
    let replies = requests.buffer_unordered(concurrency).map_err(Box::<dyn Error>::from);
    replies.try_for_each(|reply| async { reply.map(drop).map_err(Box::from) }).await?;
    println!("{}", began.elapsed().as_secs_f64());
    Ok(())
}
