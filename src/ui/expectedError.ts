/** A failure that Gantry expects. Its message is a sentence for the user that says all there is to say. */
export class ExpectedError extends Error {}
