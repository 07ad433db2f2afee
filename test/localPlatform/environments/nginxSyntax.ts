export interface SyntaxProblem {
  /** In nginx's own words. */
  readonly words: string;
  readonly line: number;
}

const blocks = /^(?:events|geo|http|if|limit_except|location|map|server|split_clients|types|upstream)$/u;

/** The most arguments of directives that are often edited. A missing semicolon makes the next line part of them. */
const mostArguments: Readonly<Record<string, number>> = {
  autoindex: 1,
  client_max_body_size: 1,
  default_type: 1,
  fastcgi_index: 1,
  fastcgi_pass: 1,
  fastcgi_param: 3,
  gzip: 1,
  include: 1,
  keepalive_timeout: 2,
  log_not_found: 1,
  pid: 1,
  proxy_pass: 1,
  proxy_set_header: 2,
  return: 2,
  root: 1,
  sendfile: 1,
  tcp_nopush: 1,
  user: 2,
  worker_connections: 1,
  worker_processes: 1,
};

/** Finds what nginx would reject in a file: braces, and directives without a semicolon. */
export function nginxSyntaxProblem(text: string): SyntaxProblem | undefined {
  let depth = 0;
  let line = 1;
  let words: string[] = [];
  for (const [token] of text.matchAll(
    /\n|#.*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[;}]|\{|(?:\$\{\w+\}|[^\s;{}"'])+/gu,
  )) {
    const [name = ''] = words;
    if (token === '\n') line += 1;
    else if (token === ';' || token === '{') {
      const problem = directiveProblem(words, token);
      if (problem !== undefined) return { words: problem, line };
      depth += token === '{' ? 1 : 0;
      words = [];
    } else if (token === '}') {
      if (name !== '' || depth === 0) return { words: 'unexpected "}"', line };
      depth -= 1;
    } else if (!token.startsWith('#')) {
      words.push(token);
      line += token.split('\n').length - 1;
    }
  }
  if (words.length > 0) return { words: 'unexpected end of file, expecting ";" or "}"', line };
  return depth === 0 ? undefined : { words: 'unexpected end of file, expecting "}"', line };
}

function directiveProblem([name, ...args]: readonly string[], end: ';' | '{'): string | undefined {
  if (name === undefined) return `unexpected "${end}"`;
  if (end === '{' && !blocks.test(name)) return `directive "${name}" is not terminated by ";"`;
  return end === ';' && args.length > (mostArguments[name] ?? Infinity)
    ? `invalid number of arguments in "${name}" directive`
    : undefined;
}
