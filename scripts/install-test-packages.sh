#!/usr/bin/env bash
# Installs what the tests need besides npm packages: Debian's (or Ubuntu's) Chromium. Does nothing when it is there.
set -euo pipefail

for browser in "${PIXPRESS_CHROMIUM:-chromium}" chromium-browser google-chrome-stable google-chrome; do
  if command -v "$browser" > /dev/null; then
    exit 0
  fi
done

if ! command -v apt-get > /dev/null; then
  echo "The browser tests need Chromium: install it with your system's package manager." >&2
  exit 1
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  as_root=(sudo)
fi

export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends chromium
