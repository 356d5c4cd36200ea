#!/usr/bin/env bash
# Installs the Debian (or Ubuntu) packages whose programs the tests run, and of those only the missing ones. Does nothing
# when all are there. A package that the system's archive does not have is named, and the others are installed.
set -euo pipefail

# program:package
needed=(
  cjpeg:libjpeg-turbo-progs
  djpeg:libjpeg-turbo-progs
  jpegtran:libjpeg-turbo-progs
  pngcheck:pngcheck
  pngquant:pngquant
  optipng:optipng
  cwebp:webp
  dwebp:webp
  webpinfo:webp
  avifenc:libavif-bin
  avifdec:libavif-bin
  cjxl:libjxl-tools
  djxl:libjxl-tools
  exiftool:libimage-exiftool-perl
  bwrap:bubblewrap
  script:bsdutils
  systemd-analyze:systemd
  curl:curl
  ruby:ruby
  python3:python3
  zsh:zsh
  fish:fish
  redis-server:redis-server
  haproxy:haproxy
  nginx:nginx
  varnishd:varnish
  slurmctld:slurmctld
  slurmd:slurmd
  sbatch:slurm-client
  munged:munge
  radosgw:radosgw
  ceph-mon:ceph-mon
  ceph-osd:ceph-osd
  ceph-mgr:ceph-mgr
  ceph:ceph-common
)

# Daemons are installed where only root looks for programs.
PATH="$PATH:/usr/sbin:/sbin"

has_browser() {
  local browser
  for browser in "${PIXPRESS_CHROMIUM:-chromium}" chromium chromium-browser google-chrome-stable google-chrome; do
    if command -v "$browser" > /dev/null; then
      return 0
    fi
  done
  return 1
}

packages=()
for pair in "${needed[@]}"; do
  package=${pair#*:}
  if ! command -v "${pair%%:*}" > /dev/null && [[ " ${packages[*]-} " != *" $package "* ]]; then
    packages+=("$package")
  fi
done
has_browser || packages+=(chromium)

if [ "${#packages[@]}" -eq 0 ]; then
  exit 0
fi

if ! command -v apt-get > /dev/null; then
  echo "The tests need programs that Debian has in these packages: ${packages[*]}. Install them with your system's package manager." >&2
  exit 1
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  as_root=(sudo)
fi

# Tests start the servers that they need, on ports of their own: none is to start on installation.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" > /dev/null
  "${as_root[@]}" chmod 755 "$policy"
  trap '"${as_root[@]}" rm -f "$policy"' EXIT
fi

export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq

available=()
missing=()
for package in "${packages[@]}"; do
  if apt-cache show "$package" > /dev/null 2>&1; then
    available+=("$package")
  else
    missing+=("$package")
  fi
done
if [ "${#available[@]}" -gt 0 ]; then
  "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${available[@]}"
fi
if [ "${#missing[@]}" -gt 0 ]; then
  echo "Not in this system's archive: ${missing[*]}. The tests that need them skip, or fail where CI is set." >&2
fi
