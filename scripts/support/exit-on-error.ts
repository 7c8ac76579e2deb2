/** With the error's message and no stack: it is meant for the person who typed. */
export async function exitOnError(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
