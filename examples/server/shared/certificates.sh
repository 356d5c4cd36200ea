#!/bin/sh
# Makes an authority, and certificates of it for the S3 server and the balancer, in the folder `certificates`. They are to
# try the services with: clients have to be given certificates/ca.pem.
set -eu
umask 077
mkdir certificates
cd certificates
openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj '/CN=pixpress trial' -keyout ca.key -out ca.pem
for name in s3 localhost; do
  openssl req -newkey rsa:2048 -nodes -subj "/CN=$name" -keyout "$name.key" -out "$name.csr"
  printf 'subjectAltName=DNS:%s\n' "$name" >"$name.ext"
  openssl x509 -req -in "$name.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -extfile "$name.ext" -out "$name.pem"
  rm "$name.csr" "$name.ext"
done
cat localhost.pem localhost.key >images.pem
rm localhost.pem localhost.key ca.key
# The users inside of the containers read them, and the folder keeps others out.
chmod 644 ./*
chmod 711 .
