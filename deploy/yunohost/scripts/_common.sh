#!/bin/bash

# The helpers have put the Node.js of the manifest first in PATH.
node=$(command -v node)

# Where a backup of YunoHost's finds the library, and where an upgrade keeps the one of before until it has succeeded.
for_archive="$data_dir/yunohost"
for_upgrade="$data_dir/avant-mise-a-jour"

# One of the service's own commands, as its user and with its settings.
rayonnage() {
    ynh_exec_as_app env NODE="$node" \
        DATABASE_PATH="$data_dir/bibliotheque.sqlite" \
        BACKUP_PATH="$data_dir/sauvegardes" \
        "$install_dir/rayonnage" "$@"
}

# Ends once the service listens: what it says first is its address, in the language of the system.
start_rayonnage() {
    ynh_systemctl --service="$app" --action="start" --wait_until="Rayonnage (est ouvert|is open)" --log_path="systemd"
}
