// VS Code writes its logs, and those of extensions, with a native module, which its own installer compiles. This one takes its
// place, so that they can be read here, too: in the Output view, and as evidence of a failed test.
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

const levels = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];

class Logger {
  constructor(_kind, _name, file) {
    mkdirSync(dirname(file), { recursive: true });
    Object.assign(this, { file, level: levels.indexOf('info'), isPlain: false });
  }

  getLevel() {
    return this.level;
  }

  setLevel(level) {
    this.level = level;
  }

  clearFormatters() {
    this.isPlain = true;
  }

  setPattern() {}

  flush() {}

  drop() {}

  write(level, message) {
    if (level < this.level) return;
    const time = new Date().toISOString().replace('T', ' ').replace('Z', '');
    try {
      appendFileSync(this.file, this.isPlain ? message : `${time} [${levels[level]}] ${message}\n`);
    } catch {
      // A log that can't be written ends nothing.
    }
  }
}

for (const [level, name] of ['trace', 'debug', 'info', 'warn', 'error', 'critical'].entries()) {
  Logger.prototype[name] = function (message) {
    this.write(level, message);
  };
}

const create = (...parameters) => Promise.resolve(new Logger('', ...parameters));
module.exports = {
  version: 0,
  Logger,
  setLevel: () => {},
  setFlushOn: () => {},
  createRotatingLogger: create,
  createAsyncRotatingLogger: create,
};
