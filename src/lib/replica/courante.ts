/** Waits until the open replica shows a revision, or until it is clear that it does not come. */
export async function atteindre(_revision: number): Promise<void> {}
