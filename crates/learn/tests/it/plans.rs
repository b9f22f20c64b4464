use meeple_learn::TrainingPlan;

#[test]
fn what_is_wrong_with_a_plan_is_said() {
    let cases = [
        ("rounds = 0", "rounds: expected 1 to"),
        ("lambda = 1.5", "lambda: expected 0 to 1, found 1.5"),
        ("lambda = nan", "lambda: expected 0 to 1, found NaN"),
        ("hidden = [0]", "hidden: expected 1 to"),
        ("hidden = [1, 1, 1, 1, 1, 1, 1, 1, 1]", "hidden: expected 0 to 8"),
        ("round = 5", "unknown field `round`"),
        ("goal = \"fame\"", "unknown variant `fame`"),
        ("self_play = 0.5", "opponents: expected agents"),
        ("watch = 0.5", "hint: opponents = "),
        ("explore = [0.1, 2]", "explore: expected 0 to 1, found 2"),
        ("seats = -1", "seats"),
        ("rounds = \"many\"", "rounds"),
        ("replays = [\"a.json\"]", "expected both or neither, found 1 files and a share of 0"),
        ("replay_share = 0.5", "expected both or neither, found 0 files"),
        ("replays = [\"a.json\"]\nreplay_share = 1.5", "replay_share: expected 0 to 1"),
        ("replays = \"a.json\"\nreplay_share = 0.5", "replays"),
        (
            "hidden = []\nreplays = [\"a.json\"]\nreplay_share = 0.5\n[sorn]\n",
            "replays: expected none beside [sorn]",
        ),
        ("doubt = 0.1", "doubt: expected 0 without advice, found 0.1"),
        ("advice = true\ndoubt = -1", "doubt: expected 0 to"),
        ("hidden = []\nadvice = true\n[sorn]\n", "advice: expected none beside [sorn]"),
        ("hidden = []\nfields = [\"turn\"]\n[sorn]\n", "fields: expected none beside [sorn]"),
        ("learns = \"fame\"", "unknown variant `fame`"),
        ("teacher = \"greedy\"\nteach_rounds = 1", "teacher: expected none where learns = \"value\""),
        ("entropy = 0.5", "entropy: expected none where learns = \"value\""),
        ("temperature = 1", "hint: learns = \"policy\""),
        ("learns = \"policy\"\nteacher = \"greedy\"", "teacher and teach_rounds: expected both or neither"),
        ("learns = \"policy\"\nteach_rounds = 3", "found '' and 3 rounds"),
        (
            "learns = \"policy\"\nrounds = 2\nteacher = \"greedy\"\nteach_rounds = 3",
            "no more rounds of it than 2",
        ),
        ("learns = \"policy\"\nguided = [1.5, 0]", "guided: expected 0 to 1, found 1.5"),
        ("learns = \"policy\"\nentropy = -1", "entropy: expected 0 to 10, found -1"),
        ("learns = \"policy\"\npositions = \"both\"", "positions: expected none where learns = \"policy\""),
        ("learns = \"policy\"\nadvice = true\ndoubt = 1", "doubt: expected none where learns = \"policy\""),
        (
            "learns = \"policy\"\nwatch = 0.5\nopponents = [\"random\"]",
            "watch or watch_rounds: expected none",
        ),
        ("learns = \"policy\"\nhidden = []\n[sorn]\n", "sorn: expected none where learns = \"policy\""),
        ("= 5", "line 1"),
    ];
    for (text, expected) in cases {
        let error = TrainingPlan::parse(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    assert_eq!(TrainingPlan::parse("").unwrap(), TrainingPlan::default());
}
