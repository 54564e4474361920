//! One episode: the target and its task take turns until the episode is over (Equation 1).
//!
//! Always holds: an episode ends with an outcome whatever happens; the conversation is held once, moved from request to
//! trajectory and never copied.

use std::sync::Arc;

use textualrl_bench::{Episode, Progress};
use textualrl_llm::{CallIdentity, ChatError, ChatModel, ChatReply, ChatRequest, Finish};
use textualrl_model::{Fingerprint, NotScoredCause, Outcome, Trajectory, Turn, Usage, UsageTotal};

use crate::plan::RolloutKey;

/// Episodes end themselves at their protocol's limit; this one keeps a benchmark without limit from running for ever.
const MOST_TURNS: u32 = 1000;

/// An episode that is ready to run.
pub(crate) struct ReadyEpisode {
    pub(crate) key: RolloutKey,
    pub(crate) context: Fingerprint,
    pub(crate) episode: Box<dyn Episode>,
    pub(crate) request: ChatRequest,
    pub(crate) identity: CallIdentity,
    pub(crate) model: Arc<dyn ChatModel>,
}

/// An episode that has run.
pub(crate) struct FinishedEpisode {
    pub(crate) trajectory: Trajectory,
    pub(crate) usage: UsageTotal,
    /// The call that failed, if one did.
    pub(crate) failed_call: Option<ChatError>,
}

/// What the completed calls of an episode cost.
struct Spent {
    total: UsageTotal,
    usage: Usage,
}

impl Spent {
    fn count(&mut self, reply: &ChatReply) {
        self.total.add_call(reply.usage, reply.from_journal);
        self.usage = self.usage.plus(reply.usage);
    }
}

impl ReadyEpisode {
    /// Runs the episode to its end.
    pub(crate) async fn run(mut self, split: textualrl_model::Split) -> FinishedEpisode {
        let mut spent =
            Spent { total: UsageTotal::default(), usage: Usage { input: Some(0), output: Some(0) } };
        let (outcome, failed_call) = match self.converse(&mut spent).await {
            Ok(outcome) => (outcome, None),
            Err(error) => {
                let cause = NotScoredCause::Provider { message: error.to_string() };
                (Outcome::NotScored { cause }, Some(error))
            }
        };
        let trajectory = Trajectory {
            task: self.key.task,
            rollout: self.key.rollout,
            split,
            context: self.context,
            turns: self.request.turns,
            outcome,
            usage: spent.usage,
            calls: self.identity.sequence,
        };
        FinishedEpisode { trajectory, usage: spent.total, failed_call }
    }

    async fn converse(&mut self, spent: &mut Spent) -> Result<Outcome, ChatError> {
        while self.identity.sequence < MOST_TURNS {
            let reply = match self.shown() {
                Some(request) => self.model.chat(&request, &self.identity).await?,
                None => self.model.chat(&self.request, &self.identity).await?,
            };
            spent.count(&reply);
            self.identity.sequence += 1;
            let cut = match reply.finish {
                Finish::Length => Some("the reply reached the output cap"),
                Finish::Refused => Some("the model refused to answer"),
                Finish::Stop | Finish::ToolCalls | Finish::Other(_) => None,
            };
            if let Some(feedback) = cut {
                self.request.turns.push(reply.turn);
                return Ok(Outcome::failure(feedback));
            }
            match self.act(reply.turn).await {
                Ok(Progress::Continue(turns)) => self.request.turns.extend(turns),
                Ok(Progress::Finished) => return Ok(self.score().await),
                Err(outcome) => return Ok(outcome),
            }
        }
        Ok(Outcome::failure("the episode reached the turn limit"))
    }

    /// The request with the episode's own window on the conversation, if it has one.
    fn shown(&self) -> Option<ChatRequest> {
        let ChatRequest { turns: _, temperature, seed, schema, tools } = &self.request;
        let turns = self.episode.window()?;
        Some(ChatRequest {
            turns,
            temperature: *temperature,
            seed: *seed,
            schema: schema.clone(),
            tools: tools.clone(),
        })
    }

    async fn act(&mut self, turn: Turn) -> Result<Progress, Outcome> {
        let (turn, progress) = self
            .with_episode(move |episode| {
                let progress = episode.act(&turn);
                (turn, progress)
            })
            .await?;
        self.request.turns.push(turn);
        Ok(progress)
    }

    async fn score(&mut self) -> Outcome {
        self.with_episode(|episode| episode.score()).await.unwrap_or_else(|outcome| outcome)
    }

    /// Does `work` with the episode, on a thread for blocking work if it blocks. A panic there is the environment's
    /// failure, not the run's.
    async fn with_episode<R: Send + 'static>(
        &mut self,
        work: impl FnOnce(&mut dyn Episode) -> R + Send + 'static,
    ) -> Result<R, Outcome> {
        if !self.episode.blocks() {
            return Ok(work(self.episode.as_mut()));
        }
        let mut episode = std::mem::replace(&mut self.episode, Box::new(Gone));
        let done = tokio::task::spawn_blocking(move || {
            let result = work(episode.as_mut());
            (episode, result)
        });
        match done.await {
            Ok((episode, result)) => {
                self.episode = episode;
                Ok(result)
            }
            Err(error) => Err(broken(&error.to_string())),
        }
    }
}

/// The outcome of an episode whose own code failed.
pub(crate) fn broken(message: &str) -> Outcome {
    let message = format!("the episode's code failed: {message}");
    Outcome::NotScored { cause: NotScoredCause::Environment { message } }
}

/// Stands for an episode that is at work on another thread.
struct Gone;

impl Episode for Gone {
    fn opening(&mut self, _context: &textualrl_model::Context) -> Vec<Turn> {
        Vec::new()
    }

    fn act(&mut self, _reply: &Turn) -> Progress {
        Progress::Finished
    }

    fn score(&mut self) -> Outcome {
        broken("it is gone")
    }
}
