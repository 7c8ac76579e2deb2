import { compileMessages, MESSAGES, SPLIT_MESSAGES } from './support/messages.ts';

// Run by `scripts/launch.mjs` before any other command: nothing that it imports may have a sentence.
await compileMessages('project.inlang', MESSAGES, SPLIT_MESSAGES);
