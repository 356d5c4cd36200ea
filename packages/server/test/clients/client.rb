# Reads answers as the official Ruby client does: header names from a table that knows upper from lower case.
# Arguments: URL of the server, file of the trusted certificate, key, file of an image. Prints what it read as JSON.
require "json"
require "openssl"
require "socket"
require "uri"

url, ca, key, image = ARGV
server = URI(url)
context = OpenSSL::SSL::SSLContext.new
context.set_params(ca_file: ca)
connection = OpenSSL::SSL::SSLSocket.new(TCPSocket.new(server.host, server.port), context)
connection.sync_close = true
connection.connect
connection.post_connection_check(server.host)

# One connection for all requests, as bodies end where `Content-Length` says.
request = lambda do |method, target, key, body, type|
  lines = ["#{method} #{URI(target).request_uri} HTTP/1.1", "Host: #{server.host}:#{server.port}"]
  lines << "Authorization: Basic #{["api:#{key}"].pack("m0")}"
  lines << "Content-Type: #{type}" << "Content-Length: #{body.bytesize}" if body
  connection.write(lines.join("\r\n") + "\r\n\r\n")
  connection.write(body) if body
  status = connection.gets.split(" ")[1].to_i
  headers = {}
  while (line = connection.gets.chomp) != ""
    name, value = line.split(": ", 2)
    headers[name] = value
  end
  [status, headers, connection.read(headers["Content-Length"].to_i)]
end

form = "application/x-www-form-urlencoded"
wrong, = request.call("POST", "#{url}/shrink", "wrong", nil, nil)
valid, validated, = request.call("POST", "#{url}/shrink", key, nil, nil)
created, upload, = request.call("POST", "#{url}/shrink", key, File.binread(image), form)
commands = JSON.generate({ resize: { method: "scale", width: 60 } })
found, resized, data = request.call("GET", upload["Location"], key, commands, "application/json")
puts JSON.generate(
  {
    statuses: [wrong, valid, created, found],
    counts: [validated, upload, resized].map { |headers| headers["Compression-Count"].to_i },
    location: upload["Location"],
    width: resized["Image-Width"].to_i,
    height: resized["Image-Height"].to_i,
    type: resized["Content-Type"],
    size: resized["Content-Length"].to_i,
    bytes: data.bytesize,
  },
)
