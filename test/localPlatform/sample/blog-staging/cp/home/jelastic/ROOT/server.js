import { createServer } from 'node:http';
import { settings } from './settings.js';
import { loadPosts } from './posts.js';
import { frontPage, postPage, notFound } from './pages.js';

const posts = await loadPosts(new URL('./content/', import.meta.url));

function route(path) {
  if (path === '/') return { status: 200, body: frontPage(posts) };
  const post = posts.find((candidate) => path === `/${candidate.slug}`);
  return post === undefined ? { status: 404, body: notFound(path) } : { status: 200, body: postPage(post) };
}

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://blog.example.com');
  const { status, body } = route(decodeURI(pathname));
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
  response.end(body);
});

server.listen(settings.port, () => console.log(`${settings.title} answers on port ${settings.port}`));

process.on('SIGTERM', () => server.close());
