"""This plugin for pytest has a fixture that judges. pytest finds it by the entry point of the package."""
import pytest


@pytest.fixture
def tandem_judge(tmp_path):
    """The fixture is tandem_rnn.judge, with the report's pages in tmp_path/judge. pytest shows its output if a test fails.

        def test_my_lstm(tandem_judge):
            assert tandem_judge(my_lstm, profile="cells-lstm-inference-f32").conforms
    """
    import tandem_rnn

    def judge(implementation, *args, **options):
        verdict = tandem_rnn.judge(implementation, *args, **{"report": str(tmp_path / "judge"), **options})
        print(verdict.text)
        return verdict

    return judge
