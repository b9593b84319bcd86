// The suites send no credential, so this stands between: a loopback proxy that adds one and changes nothing else.
// Usage: proxy.mjs SERVER-PORT TOKEN. Prints its port. A Host or Origin that names it becomes the server's own; a forged one
// stays forged.
import http from "node:http";

const [port, token] = process.argv.slice(2);
const own = `127.0.0.1:${port}`;
const server = http.createServer((request, response) => {
  const mine = new RegExp(`^(localhost|127\\.0\\.0\\.1|\\[::1\\]):${server.address().port}$`, "i");
  const headers = { ...request.headers, authorization: `Bearer ${token}` };
  if (mine.test(headers.host ?? "")) headers.host = own;
  if (mine.test((headers.origin ?? "").replace(/^http:\/\//, ""))) headers.origin = `http://${own}`;
  const onward = http.request({ host: "127.0.0.1", port, method: request.method, path: request.url, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  onward.on("error", () => response.destroy());
  response.on("close", () => onward.destroy());
  request.pipe(onward);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
