/** Opens the system's share sheet. A person who closes it has changed their mind: that is no failure. */
export async function share(data: ShareData): Promise<void> {
  try {
    await navigator.share(data);
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
  }
}
