# bnbench.h as Doxygen takes it: sections are groups of the page; a comment behind a member is that member's.
0,/^\/\* ----/s/^\/\* ---- \(.*\) ---- \*\/$/\/** @name \1 *\/ \/** @{ *\//
s/^\/\* ---- \(.*\) ---- \*\/$/\/** @} *\/ \/** @name \1 *\/ \/** @{ *\//
$s/$/ \/** @} *\//
/^    .*[;,0-9] *\/\* /s/\/\* /\/**< /
