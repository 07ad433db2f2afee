#!/bin/sh
# Keeps one dump per weekday. The credentials are in ~/.my.cnf of the user mysql.
set -eu

target="/var/lib/backup/storefront-$(date +%u).sql.gz"
mysqldump storefront | gzip -9 > "$target.part"
mv "$target.part" "$target"
