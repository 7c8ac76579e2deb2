/** What of the frame nobody needs before the first screen stands: one file, loaded behind it. */
export { default as FeedbackBar } from './FeedbackBar.svelte';
export { default as Keys } from './Keys.svelte';
export { default as Language } from './Language.svelte';
