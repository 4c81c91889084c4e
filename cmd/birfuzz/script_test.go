package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write what the commands print into the scripts that compare it")

// quickExit keeps processes under the race detector from sleeping for a second at their end, which a hundred of them would make minutes.
const quickExit = "atexit_sleep_ms=0"

// TestMain makes the test binary three commands: itself, birfuzz, and a foreign compiler that is wrong.
func TestMain(m *testing.M) {
	os.Setenv("GORACE", quickExit) //nolint:errcheck // the name is good
	testscript.Main(m, map[string]func(){"birfuzz": main, "wrongpass": wrongPass})
}

// TestScripts runs testdata/script: each is a session at a command line. Beside the commands of package testscript there are
//
//	exits STATUS COMMAND [ARG…]        run a command that must end with the status
//	jsonkeys FILE PATH KEY…            the object at the path (a.0.b) has these keys; any more are named after a "+"
//	jsonis FILE PATH VALUE             the value at the path is VALUE
//	jsonsame FILE PATH FILE PATH       the values at the paths are equal
//	narrow FILE COLUMNS                no line has more characters
//	waitfor PATTERN                    wait until there is such a file and it is not empty
//	gone FILE                          the process whose number the file holds must end
func TestScripts(t *testing.T) {
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(e *testscript.Env) error {
			e.Setenv("GORACE", quickExit)
			e.Setenv("GOCACHE", strings.TrimSpace(string(cache))) // scripts have no home
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name == "short" {
				return testing.Short(), nil
			}
			return false, fmt.Errorf("no condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "jsonkeys": jsonKeys, "jsonis": jsonIs, "jsonsame": jsonSame, "narrow": narrow, "waitfor": waitFor, "gone": gone,
		},
	})
}

func exits(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND [ARG…]")
	}
	status := 0
	var ended *exec.ExitError
	switch err := ts.Exec(args[1], args[2:]...); {
	case errors.As(err, &ended):
		status = ended.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(status) != args[0] {
		ts.Fatalf("status %d, want %s\n%s%s", status, args[0], ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
	for _, trace := range []string{"goroutine ", "panic:"} {
		if strings.Contains(ts.ReadFile("stderr"), trace) {
			ts.Fatalf("a stack trace:\n%s", ts.ReadFile("stderr"))
		}
	}
}

// valueAt returns what stands at a path of a file that holds one JSON value and nothing else.
func valueAt(ts *testscript.TestScript, file, path string) any {
	var v any
	if err := json.Unmarshal([]byte(ts.ReadFile(file)), &v); err != nil {
		ts.Fatalf("%s is not one JSON value: %v\n%s", file, err, ts.ReadFile(file))
	}
	for step := range strings.SplitSeq(path, ".") {
		if path == "" {
			break // the whole value
		}
		switch at := v.(type) {
		case map[string]any:
			v = at[step]
			continue
		case []any:
			if i, err := strconv.Atoi(step); err == nil && i < len(at) {
				v = at[i]
				continue
			}
		}
		ts.Fatalf("%s: nothing at %s", file, path)
	}
	return v
}

func jsonKeys(ts *testscript.TestScript, _ bool, args []string) {
	object, ok := valueAt(ts, args[0], args[1]).(map[string]any)
	if !ok {
		ts.Fatalf("%s: no object at %s", args[0], args[1])
	}
	must, may := args[2:], []string{}
	if i := slices.Index(must, "+"); i >= 0 {
		must, may = must[:i], must[i+1:]
	}
	for _, k := range must {
		if _, ok := object[k]; !ok {
			ts.Fatalf("no key %q", k)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(object)) {
		if !slices.Contains(must, k) && !slices.Contains(may, k) {
			ts.Fatalf("unknown key %q", k)
		}
	}
}

func jsonIs(ts *testscript.TestScript, neg bool, args []string) {
	if got := fmt.Sprint(valueAt(ts, args[0], args[1])); (got == args[2]) == neg {
		ts.Fatalf("%s: got %s", args[1], got)
	}
}

func jsonSame(ts *testscript.TestScript, _ bool, args []string) {
	if d := cmp.Diff(valueAt(ts, args[0], args[1]), valueAt(ts, args[2], args[3])); d != "" {
		ts.Fatalf("%s (-) and %s (+) differ:\n%s", args[1], args[3], d)
	}
}

func narrow(ts *testscript.TestScript, _ bool, args []string) {
	width, _ := strconv.Atoi(args[1])
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		if n := len([]rune(strings.TrimRight(line, " \n"))); n > width {
			ts.Fatalf("%d characters, want at most %d: %s", n, width, line)
		}
	}
}

// patience is how long a script waits for something that must come, and pause how often it looks.
const (
	patience = 20 * time.Second
	pause    = 5 * time.Millisecond
)

func waitFor(ts *testscript.TestScript, _ bool, args []string) {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(pause) {
		found, _ := filepath.Glob(ts.MkAbs(args[0]))
		if len(found) > 0 {
			if st, err := os.Stat(found[0]); err == nil && st.Size() > 0 {
				return
			}
		}
	}
	ts.Fatalf("%s does not come", args[0])
}

// gone asks /proc, for a process that its parent has not waited for is gone too.
func gone(ts *testscript.TestScript, _ bool, args []string) {
	pid := ts.ReadFile(args[0])
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(pause) {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
	}
	ts.Fatalf("process %s lives on", pid)
}

// wrongPass is the foreign compiler: `wrongpass WHAT`.
func wrongPass() {
	if err := actWrong(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
}
