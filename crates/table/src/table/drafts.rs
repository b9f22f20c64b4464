//! Drafts at a table: ownership, expiry and confirmation.

use meeple_core::{AnyEpisode, EpisodeView, Refusal, Seat, Viewer};

use super::{Act, Refused, Table, read};
use crate::draft::{Draft, MAX_STEPS};
use crate::entry::Holder;
use crate::order::DraftOrder;

impl Table {
    /// The number of steps in the draft of a seat, and its revision; zeros without a draft. With the
    /// [`version`](Self::version) it identifies the seat's frame.
    pub fn draft_state(&self, seat: Option<usize>) -> (usize, u64) {
        seat.and_then(|seat| self.drafts.get(&seat)).map_or((0, 0), |draft| (draft.len(), draft.revision))
    }

    /// Number of draft changes so far. Each change may alter the frame of a seat with a draft.
    pub fn draft_changes(&self) -> u64 {
        self.draft_changes
    }

    /// Returns true if any seat has a draft.
    pub fn has_drafts(&self) -> bool {
        !self.drafts.is_empty()
    }

    /// Changes the draft that begins with the answer to question `number` and now has `position` steps. `id`
    /// is the client's id of the message, as in [`act`](Self::act).
    ///
    /// # Errors
    /// If no person sits there, the question is not open, or the draft has another number of steps. Also if a
    /// step is illegal or cannot follow, the draft is full, or there is no draft to confirm.
    pub fn draft(
        &mut self,
        seat: usize,
        number: u64,
        position: usize,
        id: &str,
        order: DraftOrder<'_>,
    ) -> Result<Act, Refused> {
        self.expect_person(seat)?;
        if [&self.last_ids[seat], &self.last_draft_ids[seat]]
            .into_iter()
            .any(|last| last.as_deref() == Some(id))
        {
            return Ok(Act::Repeated);
        }
        let question = self.question(seat).filter(|question| question.number == number).ok_or_else(|| {
            let open = self.question(seat).map(|question| question.number);
            Refused::Stale(Refusal::Stale { seat: Seat::new(seat), number, open })
        })?;
        let found = self.draft_state(Some(seat)).0;
        if position != found {
            return Err(Refused::Moved { expected: position, found });
        }
        match order {
            DraftOrder::Commit => return self.commit(seat, id),
            DraftOrder::Drop => drop(self.drafts.remove(&seat)),
            DraftOrder::Undo => {
                if let Some(draft) = self.drafts.get_mut(&seat) {
                    draft.pop();
                    if draft.len() == 0 {
                        self.drafts.remove(&seat);
                    }
                }
            }
            DraftOrder::Step(reply) => {
                let labels: Vec<_> = self.holders.iter().map(Holder::label).collect();
                let version = self.version(Some(seat));
                let begun = self.drafts.remove(&seat);
                let fresh = || Draft::new(&*self.driver.fork(), question, version);
                let mut draft = begun.unwrap_or_else(fresh);
                let tried = match () {
                    () if !draft.is_open() => Err(Refused::Unconfirmed),
                    () if draft.len() == MAX_STEPS => Err(Refused::LongDraft { most: MAX_STEPS }),
                    () => read(draft.world().view(), question.seat, reply)
                        .and_then(|action| draft.step(&action, &labels).map_err(Refused::Illegal)),
                };
                match tried {
                    Ok(step) if draft.len() == 0 && !draft.goes_on(&step) => {
                        self.take(seat, &step.action, Some(id))?;
                        return Ok(Act::Taken);
                    }
                    Ok(step) => draft.push(step),
                    Err(refused) => {
                        if draft.len() > 0 {
                            self.drafts.insert(seat, draft);
                        }
                        return Err(refused);
                    }
                }
                self.drafts.insert(seat, draft);
            }
        }
        self.draft_changes += 1;
        if let Some(draft) = self.drafts.get_mut(&seat) {
            draft.revision = self.draft_changes;
        }
        self.last_draft_ids[seat] = Some(id.to_owned());
        Ok(Act::Drafted)
    }

    /// Applies the steps of a draft, as long as each real result matches the draft.
    fn commit(&mut self, seat: usize, id: &str) -> Result<Act, Refused> {
        let steps = self.drafts.remove(&seat).ok_or(Refused::NoDraft)?.into_steps();
        let viewer = Viewer::Seat(Seat::new(seat));
        let mut keys = steps.iter().map(|step| step.key(Seat::new(seat))).collect::<Vec<_>>().into_iter();
        for (index, step) in steps.iter().enumerate() {
            // The first step is legal. Later ones stay legal as long as the results match the draft.
            self.take(seat, &step.action, Some(id))?;
            let as_drafted = keys.next().flatten() == Some(self.driver.view().information_key(viewer));
            if index + 1 < steps.len() && !(as_drafted && self.question(seat).is_some()) {
                return Ok(Act::Stopped { taken: index + 1 });
            }
        }
        Ok(Act::Taken)
    }

    /// Drops drafts that began at an earlier version of their seat's frame.
    pub(super) fn drop_old_drafts(&mut self) {
        let moments = &self.moments;
        self.drafts.retain(|seat, draft| {
            moments.get(&Some(Seat::new(*seat))).is_some_and(|moment| moment.version == draft.version)
        });
    }

    pub(super) fn as_drafted(&self, seat: Option<usize>) -> Option<&dyn EpisodeView> {
        Some(self.drafts.get(&seat?)?.world().view())
    }

    /// A copy of the episode after the seat's draft, if there is one, for agents.
    pub(super) fn fork_as_drafted(&self, seat: usize) -> Box<dyn AnyEpisode> {
        self.drafts.get(&seat).map_or_else(|| self.driver.fork(), |draft| draft.world().fork())
    }
}
