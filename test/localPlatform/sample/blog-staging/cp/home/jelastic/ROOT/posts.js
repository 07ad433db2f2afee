import { readFile, readdir } from 'node:fs/promises';

// A post is a Markdown file whose first line is its title: "# Title".
export async function loadPosts(folder) {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).sort().reverse();
  return Promise.all(
    names.map(async (name) => {
      const [first, ...rest] = (await readFile(new URL(encodeURIComponent(name), folder), 'utf8')).split('\n');
      return { slug: name.slice(0, -'.md'.length), title: first.replace(/^#\s*/, ''), text: rest.join('\n').trim() };
    }),
  );
}
