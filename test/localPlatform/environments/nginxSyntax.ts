export interface SyntaxProblem {
  /** In nginx's own words. */
  readonly words: string;
  readonly line: number;
}

const blocks = /^(?:events|geo|http|if|limit_except|location|map|server|split_clients|types|upstream)$/u;

/** The most arguments of directives that are often edited. A missing semicolon makes the next line part of them. */
const mostArguments: Readonly<Record<string, number>> = {
  add_header: 3,
  allow: 1,
  autoindex: 1,
  client_max_body_size: 1,
  default_type: 1,
  deny: 1,
  expires: 2,
  fastcgi_index: 1,
  fastcgi_param: 3,
  fastcgi_pass: 1,
  gzip: 1,
  gzip_min_length: 1,
  include: 1,
  keepalive: 1,
  keepalive_timeout: 2,
  least_conn: 0,
  limit_req: 3,
  limit_req_zone: 4,
  log_not_found: 1,
  pid: 1,
  proxy_connect_timeout: 1,
  proxy_http_version: 1,
  proxy_pass: 1,
  proxy_read_timeout: 1,
  proxy_set_header: 2,
  real_ip_header: 1,
  return: 2,
  root: 1,
  sendfile: 1,
  server_tokens: 1,
  set_real_ip_from: 1,
  ssl_certificate: 1,
  ssl_certificate_key: 1,
  ssl_prefer_server_ciphers: 1,
  ssl_session_cache: 2,
  ssl_session_timeout: 1,
  tcp_nodelay: 1,
  tcp_nopush: 1,
  user: 2,
  worker_connections: 1,
  worker_processes: 1,
  worker_rlimit_nofile: 1,
};

/** They take any number of arguments, but only certain ones. Others, such as `server_name`, take any. */
const choosy = new Set(['access_log', 'error_log', 'listen', 'proxy_next_upstream', 'server', 'ssl_protocols']);
const known = new Set([...Object.keys(mostArguments), ...choosy, 'index', 'log_format', 'server_name', 'try_files']);

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
  if (end === ';' && args.length > (mostArguments[name] ?? Infinity)) {
    return `invalid number of arguments in "${name}" directive`;
  }
  const swallowed = choosy.has(name) ? args.find((argument) => known.has(argument)) : undefined;
  return swallowed === undefined ? undefined : `invalid parameter "${swallowed}"`;
}
