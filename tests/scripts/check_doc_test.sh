#!/usr/bin/env bash
# check_doc_test.sh DOC_TEST: the test of the samples in the documentation notices what is wrong there, on pages made for
# it and with a program that is none: a shell script that prints its arguments.
doc_test=$1
source "$(dirname "$0")/expect.sh"
mkdir "$work/docs" "$work/examples" "$work/tests"
printf '#!/bin/sh\necho "$@"\n[ "$1" != fail ]\n' >"$work/program"
chmod +x "$work/program"

# Makes the only page of what it reads; tildes stand for the fences.
page() { sed 's/~~~/```/' >"$work/README.md"; }
test_page() { "$doc_test" "$work/program" "$work"; }

page <<'END'
Save this as `a b.txt`; it is not what the next block shows:

~~~asm
one
two
~~~

~~~console
$ ./lanewise fail \
    b
fail b
$ echo $?
1
$ cat "a b.txt" | head -1 && cat shown; ls -d examples docs tests
one
three
docs
...
tests
$ cat shown
three
$ echo silent >file
~~~

<!-- doc-test: skip needs a card -->

~~~console
$ ./lanewise missing
nothing
~~~
END
expect 0 "1 pages: 5 commands, 0 with another output" test_page
also "1 block skipped: needs a card"

printf 'Text\n\n~~~console\n$ ./lanewise a\nb\n$ printf "1\\n2\\n3\\n4\\n"\n1\n...\n5\n~~~\n\nMore\n' | page
expect 1 "README.md:4: ./lanewise a" test_page
also "2 with another output"
expect 0 "2 blessed" env LANEWISE_BLESS=1 "$doc_test" "$work/program" "$work"
expect 0 "2 commands, 0 with another output" test_page
printf 'Text\n\n~~~console\n$ ./lanewise a\na\n$ printf "1\\n2\\n3\\n4\\n"\n1\n...\n4\n~~~\n\nMore\n' | sed 's/~~~/```/' >"$work/blessed"
expect 0 "" cmp "$work/blessed" "$work/README.md"

printf '~~~console\nno command\n~~~\n' | page
expect 1 "README.md:2: output without a command before it" test_page
printf '<!-- doc-test: skip -->\n\n~~~console\n$ true\n~~~\n' | page
expect 1 "README.md:1: is no marker" test_page
printf '<!-- doc-test: skip why -->\n\n~~~cpp\nint x;\n~~~\n' | page
expect 1 "leaves nothing out" test_page
printf '~~~console\n$ echo "\n~~~\n' | page
expect 1 "the shell ended" test_page
