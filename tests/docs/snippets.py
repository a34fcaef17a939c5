# SPDX-License-Identifier: GPL-3.0-or-later
"""Is what the pages print there? Every command that a page names, in a line of its own or within a sentence, is a command of
the program, and every option of it stands in that command's --help; an option alone stands in some help. Every block of YAML is
as the schema of experiment files says, but for keys that it leaves out.

    snippets.py PROGRAM SCHEMA SOURCE
"""
import json
import pathlib
import re
import shlex
import subprocess
import sys

import jsonschema
import yaml

program, schema_path, source = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
pages = sorted(source.glob("docs/**/*.md")) + [source / name for name in ("README.md", "SECURITY.md", "CONTRIBUTING.md")]
# Options of sbatch, R, CMake, and of an example.
others = {"--mem", "--cpus-per-task", "--exclude", "--vanilla", "--target", "--opt"}
# The command that a page adds, and the first word of a file.
not_commands = {"hubs", "checkpoint"}
counted = {"commands": 0, "options": 0, "blocks of YAML": 0}
wrong = []


def help_of(command):
    words = [program] + ([command] if command else []) + ["--help"]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


overview = help_of("")
commands = re.findall(r"^  ([a-z]+) ", overview.split("Commands:")[1].split("Options:")[0], re.M)
helps = {name: help_of(name) for name in commands}
known = {name: set(re.findall(r"--[a-z][a-z0-9-]*", text)) for name, text in helps.items()}
known[""] = set(re.findall(r"--[a-z][a-z0-9-]*", overview))
any_option = set().union(*known.values())


def check_command(page, line):
    words = re.findall(r"[^\s\[\]|'\"`,;()]+", re.sub(r"\[[^]-][^]]*\]", "", line))[1:]
    name = words[0] if words else ""
    if name in not_commands:
        return
    if not re.fullmatch(r"[a-z]+", name):
        name = "" if name.startswith("-") else None
    elif name not in commands:
        wrong.append(f"{page}: there is no command '{name}': {line}")
        return
    if name is None:
        return
    counted["commands"] += 1
    for word in words:
        option = re.match(r"--[a-z][a-z0-9-]*", word)
        if option:
            counted["options"] += 1
            if option.group() not in known[name] | known[""]:
                wrong.append(f"{page}: '{name}' has no option {option.group()}: {line}")


def check_option(page, text):
    option = re.match(r"--[a-z][a-z0-9-]*", text).group()
    counted["options"] += 1
    if option not in any_option | others:
        wrong.append(f"{page}: no command has the option {option}")


def check_yaml(page, block, schema):
    try:
        value = yaml.safe_load(block)
    except yaml.YAMLError as error:
        wrong.append(f"{page}: no YAML: {error}")
        return
    value = {key: part for key, part in value.items() if part is not None}  # a list that the page goes on with later
    counted["blocks of YAML"] += 1
    for error in jsonschema.Draft202012Validator(schema).iter_errors(value):
        wrong.append(f"{page}: {'.'.join(map(str, error.path))}: {error.message[:120]}\n{block}")


def blocks_of(text):
    """Indented blocks, outside of fences, and fenced ones with their kind."""
    fence, kind, lines = False, None, []
    for line in text.split("\n") + [""]:
        if line.startswith("```"):
            if fence:
                yield kind, "\n".join(lines)
            fence, kind, lines = not fence, line[3:].strip(), []
        elif fence:
            lines.append(line)
        elif line.startswith("    ") or (lines and not line.strip()):
            lines.append(line[4:])
        elif lines:
            yield "indented", "\n".join(lines).rstrip()
            lines = []
    if lines and not fence:
        yield "indented", "\n".join(lines).rstrip()


schema = json.loads(pathlib.Path(schema_path).read_text())
keys = set(schema["properties"])
schema.pop("required", None)
for path in pages:
    page, text = path.relative_to(source), path.read_text()
    for kind, block in blocks_of(text):
        first = re.match(r"([a-z_]+):( |$)", block.split("\n")[0])
        if kind in ("yaml", "indented") and first and first.group(1) in keys:
            check_yaml(page, block, schema)
            continue
        for line in block.split("\n"):
            line = re.sub(r"   +.*", "", line)
            if line.startswith("bnbench "):
                check_command(page, line)
    prose = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    for span in re.findall(r"`([^`\n]+)`", prose):
        if span.startswith("bnbench "):
            check_command(page, span)
        elif re.match(r"--[a-z]", span):
            check_option(page, span)

for line in wrong:
    print(line)
print(", ".join(f"{n} {what}" for what, n in counted.items()))
sys.exit(bool(wrong) or min(counted.values()) == 0)
