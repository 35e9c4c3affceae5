/** Tells the benchmark that a server listens, and where. */
export function announce(server) {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` }));
}
