package main

import (
	"fmt"
	"os"
	"strings"

	"birfuzz/gen"
)

// generator are the flags that say what programs are drawn.
type generator struct {
	config, only, without string
}

// generator adds the flags of commands that draw programs.
func (f *flags) generator() *generator {
	g := &generator{}
	f.StringVar(&g.config, "config", "", "draw programs as `FILE` says: a JSON object with some of insts, short, elems,\narch, rows_off, features, only, without; gen.ReadConfig tells what they mean,\nbirfuzz gen -features what features there are")
	f.StringVar(&g.only, "ops", "", "draw the instructions `NAME,…` alone, and what no program can do without; see birfuzz ops")
	f.StringVar(&g.without, "without-ops", "", "never draw the instructions `NAME,…`")
	return g
}

// read returns the configuration that the flags ask for; nil if they ask for none: then every program has one of its own.
func (g *generator) read() (*gen.Config, error) {
	if g.config == "" && g.only == "" && g.without == "" {
		return nil, nil
	}
	c := gen.Default()
	if g.config != "" {
		file, err := os.Open(g.config)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		if c, err = gen.ReadConfig(file); err != nil {
			return nil, fmt.Errorf("%s: %w", g.config, err)
		}
	}
	if g.only != "" {
		if err := c.Only(strings.Split(g.only, ",")); err != nil {
			return nil, fmt.Errorf("-ops: %w", err)
		}
	}
	if g.without != "" {
		if err := c.Without(strings.Split(g.without, ",")); err != nil {
			return nil, fmt.Errorf("-without-ops: %w", err)
		}
	}
	return &c, nil
}
