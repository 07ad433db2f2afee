/** Runs one step of a test whose steps depend on each other. Names the step in an error, which stays of its kind. */
export async function step(title: string, work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Error)) throw new Error(`In the step “${title}”`, { cause: error });
    const { message, stack } = error;
    error.message = `In the step “${title}”: ${message}`;
    // The stack was recorded with the first message.
    if (stack !== undefined) error.stack = stack.replace(message, () => error.message);
    throw error;
  }
}
