import { createServer } from 'node:net';

/** Fails if a port isn't available. 0 means any port. */
export async function checkPort(port: number, option: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new Error(portProblem(error, port, option))));
    server.listen(port, '127.0.0.1', resolve);
  });
  await new Promise((resolve) => server.close(resolve));
}

function portProblem({ code, message }: NodeJS.ErrnoException, port: number, option: string): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is taken; choose another with ${option}.`;
    case 'EACCES':
      return `Port ${port} may not be used by you; choose one above 1023 with ${option}.`;
    default:
      return `Port ${port} cannot be used (${message}); choose another with ${option}.`;
  }
}
