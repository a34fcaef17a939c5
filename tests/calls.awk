# SPDX-License-Identifier: GPL-3.0-or-later
# From `nm -A -P OBJECT...`: a line "caller callee", both as source files, for each pair of objects of which the first
# needs a symbol that the second alone defines.
{
    file = $1
    sub(/:$/, "", file)
    sub(/^.*\.dir\//, "", file)
    sub(/\.o$/, "", file)
    if ($3 == "U")
        needs[file, ++n_needs[file]] = $2
    else if ($3 ~ /^[TDRB]$/) {
        if ($2 in owner && owner[$2] != file)
            owner[$2] = ""
        else
            owner[$2] = file
    }
}
END {
    for (file in n_needs)
        for (i = 1; i <= n_needs[file]; i++) {
            callee = owner[needs[file, i]]
            if (callee != "" && callee != file && !seen[file, callee]++)
                print file, callee
        }
}
