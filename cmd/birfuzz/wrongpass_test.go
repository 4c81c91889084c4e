package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// actWrong is a compiler pass with a bug:
//
//	add            every "subtract" of the module becomes an "add"
//	serve          the same, for one module a line
//	spoil DIR      the same; puts a file in the place of the folder first
//	crash          ends with a message
//	hang FILE      writes its process number to the file and waits for ever
//	serve-note FILE  serve; writes its process number to the file first
//	names          for one module a line: I-1 becomes N-1, N-2…, another name for each module, and nothing else
func actWrong(args []string) error {
	switch args[0] {
	case "crash":
		return errors.New("internal error: operand 7 has no home")
	case "hang":
		if err := notePID(args[1]); err != nil {
			return err
		}
		time.Sleep(time.Hour)
		return nil
	case "serve-note":
		if err := notePID(args[1]); err != nil {
			return err
		}
		return serve(addForSubtract)
	case "serve":
		return serve(addForSubtract)
	case "names":
		n := 0
		return serve(func(module []byte) []byte {
			n++
			return bytes.ReplaceAll(module, []byte(`"I-1"`), []byte(fmt.Sprintf(`"N-%d"`, n)))
		})
	case "spoil":
		if err := os.RemoveAll(args[1]); err != nil {
			return err
		}
		if err := os.WriteFile(args[1], nil, 0o666); err != nil {
			return err
		}
	case "add":
	default:
		return fmt.Errorf("no wrong pass %q", args[0])
	}
	module, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(addForSubtract(module))
	return err
}

func addForSubtract(module []byte) []byte {
	return bytes.ReplaceAll(module, []byte(`"subtract"`), []byte(`"add"`))
}

// serve answers one module after the other.
func serve(answer func([]byte) []byte) error {
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := os.Stdout.Write(answer(line)); err != nil {
			return err
		}
	}
}

func notePID(file string) error {
	return os.WriteFile(file, []byte(fmt.Sprint(os.Getpid())), 0o666)
}
