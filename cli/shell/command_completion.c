/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench completion: scripts by which shells complete its words, and the words for them. */
#include "cli/base/command.h"
#include "cli/shell/candidates.h"

#include <string.h>

static const arg_option options[] = {{0}};

/* Bash breaks words at '=', and takes the part behind it for the whole. */
static const char bash[] =
    "# bnbench in bash: eval \"$(bnbench completion bash)\", or this text as a file in bash-completion's folder.\n"
    "_bnbench() {\n"
    "    local typed=() word about i part\n"
    "    for ((i = 1; i <= COMP_CWORD; i++)); do\n"
    "        part=${COMP_WORDS[i]}\n"
    "        if ((${#typed[@]} > 0)) && [[ $part == = || ${typed[-1]} == *= ]]; then\n"
    "            typed[-1]+=$part\n"
    "        else\n"
    "            typed+=(\"$part\")\n"
    "        fi\n"
    "    done\n"
    "    COMPREPLY=()\n"
    "    while IFS= read -r word; do\n"
    "        about=${word#*$'\\t'} word=${word%%$'\\t'*}\n"
    "        if [ -z \"$word\" ]; then\n"
    "            compopt -o default\n"
    "            continue\n"
    "        fi\n"
    "        [[ $word != *= ]] || compopt -o nospace\n"
    "        [[ ${typed[-1]} != *=* ]] || word=${word#*=}\n"
    "        COMPREPLY+=(\"$word\")\n"
    "    done < <(\"${COMP_WORDS[0]}\" completion words -- \"${typed[@]}\" 2>/dev/null)\n"
    "}\n"
    "complete -F _bnbench bnbench\n";

static const char zsh[] =
    "#compdef bnbench\n"
    "# bnbench in zsh: source <(bnbench completion zsh), or this text as _bnbench in a folder of $fpath.\n"
    "_bnbench() {\n"
    "    local -a found settings\n"
    "    local line word about files=0\n"
    "    while IFS= read -r line; do\n"
    "        word=${line%%$'\\t'*} about=${line#*$'\\t'}\n"
    "        if [[ -z $word ]]; then files=1\n"
    "        elif [[ $word == *= ]]; then settings+=(\"${word//:/\\\\:}:$about\")\n"
    "        else found+=(\"${word//:/\\\\:}:$about\"); fi\n"
    "    done < <(\"${words[1]}\" completion words -- \"${(@)words[2,CURRENT]}\" 2>/dev/null)\n"
    "    (( ${#found} )) && _describe bnbench found\n"
    "    (( ${#settings} )) && _describe bnbench settings -S ''\n"
    "    (( files )) && _files\n"
    "}\n"
    "if [[ ${funcstack[1]} == _bnbench ]]; then _bnbench \"$@\"; else compdef _bnbench bnbench; fi\n";

static const char fish[] =
    "# bnbench in fish: bnbench completion fish | source, or this text as bnbench.fish in a folder of completions.\n"
    "function __bnbench_words\n"
    "    set -l typed (commandline -opc) (commandline -ct)\n"
    "    for line in (bnbench completion words -- $typed[2..-1] 2>/dev/null)\n"
    "        if string match -qr '^\\t' -- $line\n"
    "            __fish_complete_path (commandline -ct)\n"
    "        else\n"
    "            echo $line\n"
    "        end\n"
    "    end\n"
    "end\n"
    "complete -c bnbench -f -a '(__bnbench_words)'\n";

static const struct { const char *name, *script; } shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};

static status append_words(cli *c, error_info *err) {
    typed_line line = {c->commands, c->n_commands, c->args->words + 1, c->args->n_words - 1};
    if (line.n_words == 0)
        return cli_refuse(c, err, "completion words: what was typed is missing; '' where that is nothing");
    return candidates_append(&line, &c->out, err);
}

static status run(cli *c, error_info *err) {
    const char *shell = c->args->words[0];
    if (strcmp(shell, "words") == 0)
        return append_words(c, err);
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(shells[i].name, shell) != 0)
            continue;
        if (c->args->n_words > 1)
            return cli_refuse(c, err, "completion %s takes no more words", shell);
        text_append(&c->out, shells[i].script);
        return c->json ? json_put(c->answer = json_object(), "script", json_of_text(shells[i].script), err) : STATUS_OK;
    }
    return cli_refuse(c, err, "no completion for '%s'; there is one for bash, zsh and fish", shell);
}

const command command_completion = {
    .run = run,
    .syntax =
        {.name = "completion",
         .words = "bash|zsh|fish|words",
         .summary = "make a shell complete commands, options and names",
         .details =
             "Prints a script that the shell reads: in bash eval \"$(bnbench completion bash)\" in ~/.bashrc, in\n"
             "zsh source <(bnbench completion zsh), in fish bnbench completion fish | source. Packages install\n"
             "it. With 'words', and behind '--' what was typed after bnbench, it prints what may stand there,\n"
             "a line each, with a tab and what it is; a line that begins with the tab stands for files.",
         .examples = "  bnbench completion bash\n"
                     "  bnbench completion words -- learn m\n"
                     "  bnbench completion words -- learn hc -O sc",
         .least_words = 1,
         .most_words = 1000,
         .options = options},
};
