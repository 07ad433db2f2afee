/** Runs one step of a test whose steps depend on each other. Names the step in an error. */
export async function step(title: string, work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new Error(`Failed in the step “${title}”`, { cause: error });
  }
}
