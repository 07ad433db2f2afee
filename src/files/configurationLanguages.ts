const inApache = /^\/etc\/(apache2?|httpd)\/(?!logs\/|modules\/)|\/(apache2?|httpd)\/(.*\/)?[^/]+\.conf$/;
const inNginx = /^\/etc\/nginx\/|\/nginx\/(.*\/)?([^/]+\.conf|mime\.types|[a-z]+_params)$/;

/** Language IDs for well-known configuration files, the best first: those of extensions, then the closest built-in. */
const table: readonly (readonly [path: RegExp, ids: readonly string[]])[] = [
  [inApache, ['apacheconf', 'apache', 'properties']],
  [/\/(httpd|apache2)\.conf$|\/\.ht(access|group)$/, ['apacheconf', 'apache', 'properties']],
  [inNginx, ['nginx', 'NGINX', 'properties']],
  [/\/nginx[^/]*\.conf$|\/sites-(available|enabled)\/[^/]+$/, ['nginx', 'NGINX', 'properties']],
  [/\/php[^/]*\.ini$|\/php-fpm[^/]*\.conf$|\/(php-fpm|pool)\.d\/[^/]+\.conf$/, ['ini']],
  [/\/[^/]*\.cnf$|\/supervisord?\.conf$|\/supervisord?(\.conf)?(\.d)?\/.+\.conf$/, ['ini']],
  [/\.(service|socket|timer|mount|automount|target|path|slice)$/, ['systemd-conf', 'systemd-unit-file', 'ini']],
  [/\/\.env(\.[^/]+)?$|\/[^/]+\.env$|\/etc\/environment$/, ['dotenv', 'properties']],
  [/\/crontab$|\/cron\.d\/[^/]+$|\/spool\/cron\/.+$/, ['crontab', 'cron', 'shellscript']],
  [/\/logrotate\.conf$|\/logrotate\.d\/[^/]+$/, ['logrotate', 'properties']],
  [/\/haproxy[^/]*\.cfg$/, ['haproxy', 'properties']],
  [/\/(redis|sentinel)[^/]*\.conf$/, ['redis-conf', 'redis', 'properties']],
  [/\/sshd?_config$/, ['ssh_config', 'properties']],
  [/\.vcl$/, ['vcl', 'varnish']],
  [/\/Caddyfile$/, ['caddyfile']],
  [/\/mongod?\.conf$/, ['yaml']],
  [/\/etc\/(hosts|hostname|fstab|resolv\.conf)$|\/postgresql[^/]*\.conf$|\/pg_(hba|ident)\.conf$/, ['properties']],
  [/\/etc\/(profile|bash\.bashrc|bashrc)$|\/etc\/(default|sysconfig)\/[^/]+$/, ['shellscript']],
];

/** Returns the IDs of languages that fit the file, the best first. */
export function languagesFor(path: string): readonly string[] {
  return table.find(([pattern]) => pattern.test(path))?.[1] ?? [];
}
