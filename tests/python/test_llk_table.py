"""lanewise.llk_table: what files of pytest's --junitxml say, as a table."""

from lanewise import llk_table

XML = """<testsuites><testsuite>
<testcase classname="test_pack" name="a"/>
<testcase classname="test_pack" name="b"><properties><property name="lanewise" value="/tree/x.h:7: Unsafe: a hint"/></properties></testcase>
<testcase classname="test_pack" name="c"><properties><property name="lanewise" value="/tree/x.h:8: error: no such thing at 0x12"/></properties>
  <failure message="RuntimeError: it ended with 2"/></testcase>
<testcase classname="test_pack" name="d"><skipped message="not on this chip"/></testcase>
<testcase classname="" name="test_fused"><error message="collection failure"/></testcase>
</testsuite></testsuites>"""


def run(tmp_path, capsys, *options):
    file = tmp_path / "junit.xml"
    file.write_text(XML)
    status = llk_table.main([str(file), *options])
    return status, capsys.readouterr().out


def test_counts_and_causes(tmp_path, capsys):
    status, text = run(tmp_path, capsys)
    assert status == 1
    assert "| `test_pack` | 2 | 1 | 1 | 1 |" in text
    assert "| `test_pack` | 1 | x.h: error: no such thing at 0x... |" in text
    assert "| `test_fused` | 1 | collection failure |" in text
    assert "| `test_pack` | 1 | not on this chip |" in text
    assert "2 of 4 variants that ran passed: 50.0 %." in text


def test_the_limit_is_the_users(tmp_path, capsys):
    assert run(tmp_path, capsys, "--least", "50")[0] == 0
    assert run(tmp_path, capsys, "--least", "51")[0] == 1
