package stratum_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// module is this module's path, the prefix of its own imports.
const module = "stratum"

// layers is the diagram of docs/ARCHITECTURE.md: for each package, what it may
// import of this module. The root package, written "", is the bottom; the
// command is the top and may import every package but the tests' helpers.
var layers = map[string][]string{
	"":                   {},
	"internal/text":      {},
	"internal/markdown":  {""},
	"internal/vault":     {""},
	"internal/store":     {""},
	"internal/fulltext":  {"", "internal/text"},
	"internal/graph":     {"", "internal/text"},
	"internal/search":    {"", "internal/fulltext", "internal/graph", "internal/text"},
	"internal/index":     {"", "internal/markdown", "internal/vault", "internal/store", "internal/search"},
	"internal/kb":        {"", "internal/index", "internal/markdown", "internal/vault", "internal/store", "internal/search", "internal/text"},
	"internal/watch":     {"", "internal/vault"},
	"internal/mcp":       {""},
	"internal/tools":     {"", "internal/kb", "internal/markdown", "internal/mcp"},
	"internal/transport": {"", "internal/mcp"},
	"internal/vaulttest": {"", "internal/vault"},
	"cmd/stratum-mcp":    {"", "internal/index", "internal/kb", "internal/mcp", "internal/store", "internal/tools", "internal/transport", "internal/vault", "internal/watch"},
}

// helpers is the one package that only tests import.
const helpers = "internal/vaulttest"

// homes says which packages may import a technology, so that replacing one
// means rewriting one package. A technology of tests only has no home.
var homes = map[string][]string{
	"database/sql":                           {"internal/store"},
	"modernc.org/sqlite":                     {"internal/store"},
	"go.yaml.in/yaml/v3":                     {"internal/markdown"},
	"github.com/gofrs/flock":                 {"internal/vault"},
	"github.com/fsnotify/fsnotify":           {"internal/watch"},
	"github.com/santhosh-tekuri/jsonschema":  {"internal/mcp"},
	"github.com/alecthomas/kong":             {"cmd/stratum-mcp"},
	"github.com/schollz/progressbar":         {"cmd/stratum-mcp"},
	"golang.org/x/term":                      {"cmd/stratum-mcp"},
	"github.com/modelcontextprotocol/go-sdk": {},
	"github.com/rogpeppe/go-internal":        {},
	"github.com/google/go-cmp":               {},
	"go.uber.org/goleak":                     {},
	"github.com/yuin/goldmark":               {},
	"log":                                    {}, // log/slog is what logs here
	"testing":                                {},
}

// forbidden are names that code below the command must not use: standard
// output belongs to the protocol, and environment, arguments and the process's
// end belong to the command.
var forbidden = map[string][]string{
	"fmt": {"Print", "Printf", "Println"},
	"os":  {"Stdin", "Stdout", "Stderr", "Exit", "Args", "Getenv", "LookupEnv", "Environ"},
}

// source is one parsed file of this module.
type source struct {
	name string // slash-separated, relative to the root
	pkg  string // its folder; "" is the root
	test bool
	file *ast.File
}

// sources parses every Go file of the module, those of other systems too.
func sources(t *testing.T) (*token.FileSet, []source) {
	t.Helper()
	fset := token.NewFileSet()
	var all []source
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if d.IsDir() {
			switch base := d.Name(); {
			case name == ".":
				return nil
			case name == "bin", name == "tools", name == "tests", base == "testdata", strings.HasPrefix(base, "."):
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		pkg := path.Dir(name)
		if pkg == "." {
			pkg = ""
		}
		all = append(all, source{name, pkg, strings.HasSuffix(name, "_test.go"), f})
		return nil
	})
	if err != nil {
		t.Fatalf("parse the module: %v", err)
	}
	return fset, all
}

// imports yields the paths that f imports.
func imports(f *ast.File) []string {
	var paths []string
	for _, spec := range f.Imports {
		paths = append(paths, strings.Trim(spec.Path.Value, `"`))
	}
	return paths
}

// own returns the package of this module that an import path names.
func own(imported string) (pkg string, ok bool) {
	if imported == module {
		return "", true
	}
	return strings.CutPrefix(imported, module+"/")
}

// below returns pkg and all that it reaches through layers.
func below(pkg string) map[string]bool {
	seen := map[string]bool{pkg: true}
	for todo := []string{pkg}; len(todo) > 0; {
		next := todo[0]
		todo = todo[1:]
		for _, p := range layers[next] {
			if !seen[p] {
				seen[p] = true
				todo = append(todo, p)
			}
		}
	}
	return seen
}

// Nothing climbs and no siblings meet: an import stands in the diagram or the
// build fails here. Tests may use whatever lies below their package.
func TestImportsFollowTheDiagram(t *testing.T) {
	_, all := sources(t)
	for _, s := range all {
		if _, ok := layers[s.pkg]; !ok {
			t.Errorf("%s: package %q is not in the diagram; add it to layers and to docs/ARCHITECTURE.md", s.name, s.pkg)
			continue
		}
		reachable := below(s.pkg)
		for _, imported := range imports(s.file) {
			pkg, ok := own(imported)
			if !ok {
				continue
			}
			switch {
			case s.test && (pkg == helpers || reachable[pkg]):
			case slices.Contains(layers[s.pkg], pkg):
			default:
				t.Errorf("%s imports %q, which the diagram does not allow", s.name, imported)
			}
		}
	}
}

// The diagram names no package that is gone, and has no circle.
func TestDiagramIsCurrent(t *testing.T) {
	_, all := sources(t)
	present := map[string]bool{}
	for _, s := range all {
		present[s.pkg] = true
	}
	for _, pkg := range slices.Sorted(maps.Keys(layers)) {
		if !present[pkg] {
			t.Errorf("the diagram has package %q, which does not exist", pkg)
		}
		for _, p := range layers[pkg] {
			if below(p)[pkg] {
				t.Errorf("the diagram has a circle through %q and %q", pkg, p)
			}
		}
	}
}

// Each technology lives in the package that wraps it.
func TestTechnologiesStayAtHome(t *testing.T) {
	_, all := sources(t)
	for _, s := range all {
		if s.test || s.pkg == helpers {
			continue
		}
		for _, imported := range imports(s.file) {
			for tech, home := range homes {
				if imported != tech && (tech == "log" || tech == "testing" || !strings.HasPrefix(imported, tech+"/")) {
					continue
				}
				if !slices.Contains(home, s.pkg) {
					t.Errorf("%s imports %q, whose home is %v", s.name, imported, home)
				}
			}
		}
	}
}

// Below the command nothing writes to standard output, reads the environment
// or ends the process.
func TestOnlyTheCommandTouchesTheProcess(t *testing.T) {
	fset, all := sources(t)
	for _, s := range all {
		if s.test || s.pkg == helpers || strings.HasPrefix(s.pkg, "cmd/") {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if pkg, ok := sel.X.(*ast.Ident); ok && slices.Contains(forbidden[pkg.Name], sel.Sel.Name) {
				t.Errorf("%s uses %s.%s", fset.Position(sel.Pos()), pkg.Name, sel.Sel.Name)
			}
			return true
		})
	}
}

// A package variable is set where it is declared and never again; what changes
// belongs to a value that somebody made.
func TestPackageVariablesDoNotChange(t *testing.T) {
	fset, all := sources(t)
	byPkg := map[string][]*ast.File{}
	for _, s := range all {
		if !s.test {
			byPkg[s.pkg] = append(byPkg[s.pkg], s.file)
		}
	}
	for pkg, files := range byPkg {
		// Imports are not followed: which names are this package's own
		// variables shows without them. Files of other systems declare some
		// names twice, which is no concern here either.
		info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
		conf := types.Config{Error: func(error) {}}
		checked, _ := conf.Check(pkg, fset, files, info)

		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool {
				for _, target := range assigned(n) {
					id := rootOf(target)
					if v, ok := info.Uses[id].(*types.Var); ok && v.Parent() == checked.Scope() {
						t.Errorf("%s changes the package variable %s", fset.Position(id.Pos()), id.Name)
					}
				}
				return true
			})
			for _, d := range f.Decls {
				checkState(t, fset, d)
			}
		}
	}
}

// assigned returns the expressions that the statement n assigns to.
func assigned(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		return n.Lhs
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			return slices.DeleteFunc([]ast.Expr{n.Key, n.Value}, func(e ast.Expr) bool { return e == nil })
		}
	}
	return nil
}

// rootOf returns the variable that an assignment to e changes, as x in
// x.field[i]; nil where e does not start with a name.
func rootOf(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// checkState reports package variables whose type exists to be changed. A
// sync.Pool holds no state, and what sync.OnceValue makes never changes.
func checkState(t *testing.T, fset *token.FileSet, d ast.Decl) {
	t.Helper()
	decl, ok := d.(*ast.GenDecl)
	if !ok || decl.Tok != token.VAR {
		return
	}
	for _, spec := range decl.Specs {
		v := spec.(*ast.ValueSpec)
		typ := v.Type
		if star, ok := typ.(*ast.StarExpr); ok {
			typ = star.X
		}
		if ix, ok := typ.(*ast.IndexExpr); ok { // atomic.Pointer[T]
			typ = ix.X
		}
		sel, ok := typ.(*ast.SelectorExpr)
		if !ok {
			continue
		}
		pkg, ok := sel.X.(*ast.Ident)
		if ok && (pkg.Name == "atomic" || pkg.Name == "sync" && sel.Sel.Name != "Pool") {
			t.Errorf("%s: the package variable %s is state", fset.Position(v.Pos()), v.Names[0].Name)
		}
	}
}
