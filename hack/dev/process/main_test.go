package process_test

import (
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/pressroom-dev/pressroom/hack/dev/process"
)

// The test binary plays the processes that are started, by the role that it is given in this variable.
const roleVariable = "PRESSROOM_TEST_ROLE"

// readyVariable names the file that a process makes when it is ready for signals.
const readyVariable = "PRESSROOM_TEST_READY"

func TestMain(m *testing.M) {
	switch os.Getenv(roleVariable) {
	case "":
		os.Exit(m.Run())
	case "polite":
		stop := make(chan os.Signal, 1)
		signal.Notify(stop, syscall.SIGTERM)
		ready()
		<-stop
		fmt.Println("bye")
	case "racy":
		stop := make(chan os.Signal, 1)
		signal.Notify(stop, syscall.SIGTERM)
		ready()
		<-stop
		os.Exit(66)
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
		never := make(chan os.Signal, 1)
		signal.Notify(never, syscall.SIGUSR1)
		ready()
		<-never
	case "broken":
		fmt.Println("first line\nthe data folder is on fire")
		os.Exit(3)
	case "parent":
		parent()
	case "listening":
		listening()
	}
}

// ready makes the file that the test waits for.
func ready() {
	if err := os.WriteFile(os.Getenv(readyVariable), nil, 0o600); err != nil {
		panic(err)
	}
}

// parent starts a child and waits to be killed.
func parent() {
	folder := os.Getenv("PRESSROOM_TEST_FOLDER")
	_, err := process.NewGroup(folder + "/run").Start(process.Command{
		Name: "child",
		Path: os.Args[0],
		Env:  []string{roleVariable + "=listening", readyVariable + "=" + folder + "/child.ready"},
		Log:  folder + "/child.log",
	})
	if err != nil {
		panic(err)
	}
	select {}
}

// listening accepts connections until it is killed, and writes its address into the file that the test waits for.
func listening() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	if err := os.WriteFile(os.Getenv(readyVariable), []byte(l.Addr().String()), 0o600); err != nil {
		panic(err)
	}
	for {
		if conn, err := l.Accept(); err == nil {
			conn.Close()
		}
	}
}
