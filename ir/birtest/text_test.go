package birtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, text string) string {
	file := filepath.Join(t.TempDir(), "a.bir")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestReadText(t *testing.T) {
	file := write(t, "; Prose: not a directive.\n; run: a,b\nfunc f {\n; fires: x 2\n; fires: y\n}\n; want:\n; func f {\n;\n; }\n")
	text, err := ReadText(file, "run", "fires")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(text.Values("fires"), "|"); got != "x 2|y" {
		t.Errorf("fires: got %q", got)
	}
	if text.Directives[1].Line != 4 {
		t.Errorf("line of the first fires: got %d, want 4", text.Directives[1].Line)
	}
	if text.Want != "func f {\n\n}" {
		t.Errorf("want section: got %q", text.Want)
	}
}

func TestReadTextUnknownDirective(t *testing.T) {
	_, err := ReadText(write(t, "; run: a\n; fire: x\n"), "run", "fires")
	if err == nil || !strings.Contains(err.Error(), `a.bir:2: got directive "fire", want one of run, fires, want`) {
		t.Errorf("got %v", err)
	}
}

// What SetWant writes, ReadText reads; writing it twice changes nothing.
func TestSetWant(t *testing.T) {
	file := write(t, "; run: a\nfunc f {\n}\n; want:\n; old\n")
	text, err := ReadText(file, "run")
	if err != nil {
		t.Fatal(err)
	}
	const want = "func f {\n\n  x\n}\n"
	if err := text.SetWant(want); err != nil {
		t.Fatal(err)
	}
	first, _ := os.ReadFile(file)
	again, err := ReadText(file, "run")
	if err != nil {
		t.Fatal(err)
	}
	if again.Want+"\n" != want {
		t.Errorf("got %q, want %q", again.Want, want)
	}
	if err := again.SetWant(want); err != nil {
		t.Fatal(err)
	}
	if second, _ := os.ReadFile(file); string(second) != string(first) {
		t.Errorf("got\n%s\nwant\n%s", second, first)
	}
}
