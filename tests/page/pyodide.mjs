// Runs pytest in Pyodide: our own tests, with the page's backend in the place of `orders/crypto.py`.
// Arguments: node_modules of the page, the folder of the project, a folder of Python packages, then
// pytest's own. Exits with pytest's exit code.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, project, packages, ...rest] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(modules, "pyodide/pyodide.mjs")));
const sodium = "libsodium-wrappers-sumo/dist/modules-sumo-esm/libsodium-wrappers.mjs";
globalThis.sodium = (await import(pathToFileURL(join(modules, sodium)))).default;
await globalThis.sodium.ready;
const pyodide = await loadPyodide();
pyodide.mountNodeFS("/project", project);
pyodide.mountNodeFS("/packages", packages);
pyodide.globals.set("arguments", pyodide.toPy(rest));
try {
  process.exitCode = pyodide.runPython(`
import importlib.util, os, sys, types
sys.dont_write_bytecode = True
sys.path[:0] = ["/project", "/project/tests/orders", "/project/tests", "/packages"]
import orders
spec = importlib.util.spec_from_file_location(
    "orders.crypto", "/project/adjudicator/page/inside/crypto.py")
orders.crypto = sys.modules["orders.crypto"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(orders.crypto)
# Hypothesis is partly native code; the fixtures that these tests use need none of it.
sys.modules["hypothesis"] = types.ModuleType("hypothesis")
sys.modules["hypothesis"].strategies = None
os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
os.chdir("/project/tests/orders")
import pytest
int(pytest.main([
    "-p", "no:cacheprovider", "-p", "conftest", "-c", "/dev/null", "--noconftest",
    "--rootdir", "/project/tests/orders", "--import-mode=importlib", *arguments]))
`);
} catch (error) {
  // Node would print the line at fault, and all of Pyodide is one line, of a megabyte.
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
