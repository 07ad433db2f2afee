import { settings } from './settings.js';

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function page(title, body) {
  return `<!doctype html><meta charset="utf-8"><title>${escaped(title)}</title>
<h1>${escaped(title)}</h1>
${body}`;
}

export function frontPage(posts) {
  const rows = posts.slice(0, settings.postsPerPage).map((post) => `<li><a href="/${encodeURI(post.slug)}">${escaped(post.title)}</a>`);
  return page(settings.title, `<ul>${rows.join('\n')}</ul>`);
}

export function postPage(post) {
  const paragraphs = post.text.split(/\n{2,}/).map((paragraph) => `<p>${escaped(paragraph)}</p>`);
  return page(post.title, paragraphs.join('\n'));
}

export function notFound(path) {
  return page('Nothing moored here', `<p>There is no page ${escaped(path)}.</p>`);
}
