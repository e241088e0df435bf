// Package wordpress runs a real WordPress for development and tests: Debian's package, with a MariaDB server and PHP's own web server
// as processes of its own, on loopback, with its data in one folder. Nothing of it is a service of the machine.
package wordpress

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/hack/dev/process"
)

// patience is how long a busy machine may take to start a server.
const patience = 5 * time.Minute

// Options say what to run.
type Options struct {
	// Folder of the data; an empty one gets a new WordPress. Its path must be short: the path of a socket has at most 107 bytes.
	Folder string
	// Group supervises the processes, and stops them.
	Group *process.Group
	// Port on loopback.
	Port int
}

// Login is a user of WordPress with an application password.
type Login struct{ Username, Password string }

// WordPress is a WordPress that runs.
type WordPress struct {
	Options

	// Author, Editor and Contributor have the roles of these names.
	Author, Editor, Contributor Login

	web *process.Process
}

// Missing returns an error that names the programs that this machine lacks, or nil.
func Missing() error {
	for _, program := range []string{"php", "mariadbd", "mariadb-install-db"} {
		if _, err := find(program); err != nil {
			return err
		}
	}
	if _, err := os.Stat(filepath.Join(source, "wp-load.php")); err != nil {
		return fmt.Errorf("there is no WordPress in %s: %w", source, err)
	}
	return nil
}

// source is where Debian's package has WordPress.
const source = "/usr/share/wordpress"

// find returns the path of a program. Servers are where only root looks.
func find(program string) (string, error) {
	if path, err := exec.LookPath(program); err == nil {
		return path, nil
	}
	path, err := exec.LookPath("/usr/sbin/" + program)
	if err != nil {
		return "", fmt.Errorf("%s is not installed: %w", program, err)
	}
	return path, nil
}

// Start starts the servers, and makes a blog with its users in a new folder.
func Start(ctx context.Context, o Options) (*WordPress, error) {
	w := &WordPress{Options: o}
	if err := Missing(); err != nil {
		return nil, err
	}
	for _, step := range []func(context.Context) error{w.lay, w.startDatabase, w.install, w.StartWeb} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// URL returns the address of the home page.
func (w *WordPress) URL() string { return ports.URL(w.Port) }

func (w *WordPress) path(elements ...string) string {
	return filepath.Join(append([]string{w.Folder}, elements...)...)
}

// lay makes the folder that is served: WordPress's own files, and our configuration and plugin.
func (w *WordPress) lay(context.Context) error {
	if err := os.MkdirAll(w.path("www", "wp-content", "mu-plugins"), 0o700); err != nil {
		return fmt.Errorf("making the folder of WordPress: %w", err)
	}
	// wp-load.php takes the folder that it is in for the one that is served, so the files there are copies.
	files, err := filepath.Glob(filepath.Join(source, "*.php"))
	if err != nil {
		return fmt.Errorf("looking for WordPress: %w", err)
	}
	for _, file := range files {
		if err := copyFile(file, w.path("www", filepath.Base(file))); err != nil {
			return err
		}
	}
	for _, folder := range []string{"wp-includes", "wp-admin", "wp-content/themes"} {
		if err := os.Symlink(filepath.Join(source, folder), w.path("www", folder)); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("linking WordPress: %w", err)
		}
	}
	return w.writeOwnFiles()
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return fmt.Errorf("reading WordPress: %w", err)
	}
	return writeFile(to, data)
}

func writeFile(path string, data []byte) error {
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return fmt.Errorf("writing for WordPress: %w", err)
	}
	return nil
}

// startDatabase starts MariaDB, which listens on a socket in the folder alone.
func (w *WordPress) startDatabase(ctx context.Context) error {
	data := w.path("db")
	if _, err := os.Stat(data); errors.Is(err, fs.ErrNotExist) {
		if err := w.makeDatabase(ctx, data); err != nil {
			return err
		}
	}
	server, err := find("mariadbd")
	if err != nil {
		return err
	}
	_, err = w.Group.Start(process.Command{
		Name: "mariadb", Path: server, Log: w.path("logs", "mariadb.log"), Args: append(asWhoRunsThis(),
			"--datadir="+data, "--socket="+w.socket(), "--pid-file="+w.path("mariadb.pid"), "--skip-networking",
			"--innodb-buffer-pool-size=64M", "--innodb-log-file-size=32M", "--character-set-server=utf8mb4"),
	})
	return err
}

func (w *WordPress) makeDatabase(ctx context.Context, data string) error {
	install, err := find("mariadb-install-db")
	if err != nil {
		return err
	}
	args := append(asWhoRunsThis(), "--datadir="+data, "--auth-root-authentication-method=normal", "--skip-test-db")
	output, err := exec.CommandContext(ctx, install, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("making the database: %w: %s", err, output)
	}
	return nil
}

// asWhoRunsThis has MariaDB read no configuration of the machine, and run as root too.
func asWhoRunsThis() []string {
	args := []string{"--no-defaults"}
	if os.Geteuid() == 0 {
		args = append(args, "--user=root")
	}
	return args
}

func (w *WordPress) socket() string { return w.path("db.sock") }

// install makes the blog and its users, unless they exist.
func (w *WordPress) install(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	output, err := w.php(ctx, w.path("install.php"))
	if err != nil {
		return err
	}
	passwords := map[string]string{}
	if err := json.Unmarshal(output, &passwords); err != nil {
		return fmt.Errorf("installing WordPress: %w: %s", err, output)
	}
	login := func(name string) Login { return Login{name, passwords[name]} }
	w.Author, w.Editor, w.Contributor = login("author"), login("editor"), login("contributor")
	return nil
}

// StartWeb starts PHP's web server, after the start or after KillWeb.
func (w *WordPress) StartWeb(ctx context.Context) error {
	php, err := find("php")
	if err != nil {
		return err
	}
	w.web, err = w.Group.Start(process.Command{
		Name: "php", Path: php, Log: w.path("logs", "php.log"),
		Args: append(phpSettings(), "-S", ports.Address(w.Port), "-t", w.path("www"), w.path("router.php")),
	})
	if err != nil {
		return err
	}
	return w.web.AwaitReady(ctx, process.Answers(http.DefaultClient, w.URL()+"/ready.txt"))
}

// Web is the process of PHP's web server.
func (w *WordPress) Web() *process.Process { return w.web }

func phpSettings() []string {
	return []string{"-d", "memory_limit=256M", "-d", "display_errors=0", "-d", "opcache.enable_cli=1"}
}

// Eval runs PHP code in WordPress, and returns what it prints.
func (w *WordPress) Eval(ctx context.Context, code string) (string, error) {
	output, err := w.php(ctx, "-r", "require '"+w.path("www", "wp-load.php")+"';\n"+code)
	return string(output), err
}

func (w *WordPress) php(ctx context.Context, args ...string) ([]byte, error) {
	php, err := find("php")
	if err != nil {
		return nil, err
	}
	output, err := exec.CommandContext(ctx, php, append(phpSettings(), args...)...).Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return nil, fmt.Errorf("PHP: %w: %s%s", err, output, exit.Stderr)
	}
	return output, err
}
