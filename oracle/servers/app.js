'use strict';
// Answers a request for /SECONDS after that many seconds. With the argument `close`, SIGTERM closes the server, as the documentation of Node advises.
const { createServer } = require('node:http');

const server = createServer(({ url }, response) => {
  setTimeout(() => response.end('ok'), Number(url.slice(1)) * 1000);
});
server.listen(Number(process.env.PORT), '127.0.0.1');
if (process.argv[2] === 'close') process.on('SIGTERM', () => server.close());
