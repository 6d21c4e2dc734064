package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/spf13/pflag"

	"passage/rag"
)

// version is set at build time.
var version = "unversioned"

// command is one sub-command of the program.
type command struct {
	name  string
	usage string // arguments
	help  string
	run   func(ctx context.Context, p *program, args []string) error
}

// program is what every command works with.
type program struct {
	config  config
	stdout  io.Writer
	stderr  io.Writer
	log     *slog.Logger
	onReady func(addr string) // tests learn the address the server listens on
}

func commands() []command {
	return []command{
		{"serve", "", "start the server (the default)", serve},
		{"work", "", "take in the files that were uploaded, beside a server that leaves it to others (PASSAGE_WORKERS=0)", workCommand},
		{"migrate", "", "bring the database's tables up to date and stop", migrate},
		{"ingest", "[--space S] [--doc-type T] [--root DIR] [--no-embed] PATH…", "ingest files and folders and wait until they are live", ingestCommand},
		{"retrieve", "--questions Q.jsonl --out R.jsonl […]", "retrieve passages for each question of a file", retrieveCommand},
		{"split", "--cases C.json | --procedures DIR, --out R.jsonl", "show how texts are split into sentences, or which procedures files hold", splitCommand},
		{"ask", "[--space S] [--doc-type T] [--strategy S] [--json] \"question\"", "answer one question on the terminal", askCommand},
		{"eval", "import|list|run|show|compare|advise|export|delete|score …", "measure retrieval on questions whose answers are known", evalCommand},
		{"version", "", "print the version", versionCommand},
	}
}

// run does what the arguments say. Output goes to stdout, the log to stderr.
// It returns when the command is done or the context has ended and everything
// that was started is stopped.
func run(ctx context.Context, args, environ []string, stdout, stderr io.Writer) error {
	return start(ctx, args, environ, &program{stdout: stdout, stderr: stderr})
}

func start(ctx context.Context, args, environ []string, p *program) error {
	name := "serve"
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	}
	if name == "help" || len(args) > 0 && (args[0] == "-h" || args[0] == "--help") && name == "serve" {
		help(p.stdout)
		return nil
	}
	for _, c := range commands() {
		if c.name != name {
			continue
		}
		if c.name == "version" {
			return c.run(ctx, p, args) // also when the settings are wrong
		}
		var err error
		if p.config, err = readConfig(environ); err != nil {
			return err
		}
		p.log = logger(p.config, p.stderr)
		err = c.run(ctx, p, args)
		if errors.Is(err, pflag.ErrHelp) {
			return nil
		}
		return err
	}
	return rag.Errorf(rag.CodeInvalid, "there is no command %q; web help lists them", name)
}

func help(w io.Writer) {
	fmt.Fprint(w, "Passage answers questions from your own documents and shows where each answer stands.\n\nCommands:\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  web %-9s %s\n      %s\n", c.name, c.usage, c.help)
	}
	fmt.Fprint(w, "\n\"web COMMAND --help\" lists the flags of a command.\n\nSettings (environment variables):\n", settings())
}

func logger(c config, w io.Writer) *slog.Logger {
	opts := &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, opts))
	}
	return slog.New(slog.NewTextHandler(w, opts))
}

// flags makes the flag set of a command; its help goes to stdout.
func (p *program) flags(name, usage string) *pflag.FlagSet {
	f := pflag.NewFlagSet(name, pflag.ContinueOnError)
	f.SetOutput(p.stdout)
	f.Usage = func() {
		fmt.Fprintf(p.stdout, "web %s %s\n\n%s", name, usage, f.FlagUsages())
	}
	return f
}

// parse reads the flags and checks how many arguments are left.
func parse(f *pflag.FlagSet, args []string, least, most int) error {
	if err := f.Parse(args); err != nil {
		if errors.Is(err, pflag.ErrHelp) {
			return err
		}
		return rag.WithCause(err, rag.CodeInvalid, "web %s: %s (web %s --help lists the flags)", f.Name(), err.Error(), f.Name())
	}
	if n := f.NArg(); n < least || most >= 0 && n > most {
		return rag.Errorf(rag.CodeInvalid, "web %s was given %d arguments; web %s --help shows what it takes", f.Name(), n, f.Name())
	}
	return nil
}

// explain is the message of an error for the terminal. The person there runs
// the server, so causes are shown too.
func explain(err error) string {
	var e *rag.Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	cause := e.Cause
	for inner := (*rag.Error)(nil); errors.As(cause, &inner); { // it says the same again
		cause = inner.Cause
	}
	if cause == nil || strings.Contains(e.Message, cause.Error()) {
		return e.Message
	}
	return e.Message + "\n  cause: " + cause.Error()
}

func versionCommand(_ context.Context, p *program, _ []string) error {
	_, err := fmt.Fprintln(p.stdout, "passage "+version)
	return err
}
