# SPDX-License-Identifier: GPL-3.0-or-later
# What Debian asks of every package, done to the files that CPack has gathered: copyright, changelog, compressed manual pages,
# nothing younger than the commit.
foreach(part program:bnbench data:bnbench-data library:libbnbench0 development:libbnbench-dev)
    string(REPLACE ":" ";" part ${part})
    list(GET part 0 component)
    list(GET part 1 package)
    set(root ${CPACK_TEMPORARY_DIRECTORY}/${component})
    execute_process(COMMAND sh -eu -c [[
        doc=$1/usr/share/doc/$2
        install -d -m 755 "$doc"
        install -m 644 "$3/contrib/debian/copyright" "$doc/copyright"
        gzip -9n <"$3/CHANGELOG.md" >"$doc/changelog.gz"
        gzip -9n <"$3/contrib/debian/changelog" >"$doc/changelog.Debian.gz"
        chmod 644 "$doc"/changelog*.gz
        rm -f "$doc/CHANGELOG.md" "$doc/LICENSE" # the same as those two
        find "$1/usr" -path '*/man/*' -type f ! -name '*.gz' -exec gzip -9nf {} +
        find "$1" -exec touch -h -d "@$4" {} +
    ]] sh ${root} ${package} ${CPACK_BNB_SOURCE} $ENV{SOURCE_DATE_EPOCH} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
