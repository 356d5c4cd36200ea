/** Probabilities of a key frame's header, in 256ths that a bit is 0. Source: RFC 6386. */

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(Buffer.from(base64, 'base64'))

/** Modes of prediction of a block of 4 × 4 pixels, in the order of the table of their probabilities. */
export const BLOCK_MODES = 10

/**
 * The nodes of the tree of such a mode, by the mode above, the mode on the left and the node (section 11.5). The modes
 * have the order average, true motion, vertical, horizontal, right-down, vertical-right, left-down, vertical-left,
 * horizontal-down, horizontal-up.
 */
export const BLOCK_MODE_ODDS: Uint8Array = bytesOf(
  '53gwWXNxeJhwmLNAfqp2LkZfr0WPUFVSSJtnODoKq9q9EQ2YchoRoyzDFQqteRhQwxo+LEBVkEcKJqvVkCIaqi43E4igIc5HPxQIcnLQDAniUS' +
    'gLYLZUHRAkhrdZiWJlaqWUSLtkgp1vIEtQQmanY0o+KOqAKTUJsvGNGghrSisakkmmMRedQSZpoDM0H3OAaE8MG9n/VxEHV0RHLHIzD7oXLykO' +
    'bra3FRHCQi0ZZsW9FxIWWFiTliouLcTNK2G3dVUmI7M9JzXIVxoVK+irOCIzaHJmHV1NJxxVqzqlWmJAIhZ0zhciK6ZJazYgGjMBUSsfRBlqFk' +
    'CrJOFyIhMVZoS8EEx8PhJOX1U5MjAzwWUjn9dvWS5vPJQfrNvkFRJvcHFNVbP/JnhyKCoBxPXRChltWCsdjKbVJSuaPT8em0MtRAHRZFAIK5oB' +
    'MxpHjk5OEP+AIsWrKSgFZtO3BAHdMzIRqNHAFxlSih8kqxumJizlQ1c6qVJzGjuzPztatDumXUmaKCgVdI/RIievLw8QtyLfMS23LhEhtwZiDy' +
    'C3OS4WGIABNhElQSBJcxyAF4DNKAMJczPAEgbfVyUJcztNQBUvaDcs2gk2NYLiQFpGzSgpFxo5NjlwuAUpJqbVHiIahZh0CiCGJxM13RpyIEn/' +
    'HwlB6gIPAXZJSyAMM8D/oCszWB8jQ2ZVN7pVOBUXbzvNLSXANyZGfElmASJifWIqWGhVda9SX1Q1WYBkcWUtS097LzOAUasBOREFR2Y5NSkxJi' +
    'ENeTlJGgFVKQpDik1uWi9ycxUCCmb/phcGZR0QClWAZcQaORIKZmbVIhQrdRQPJKOARAEaZj1HJSI1H/PARTxHJkl3HN4lRC2AIgEvC/WrPhET' +
    'RpJVNz5GJSslmmSjVaABPwlciBxAIMlVSw8JCUD/uHcQVgYcBUD/GfgBOAgRhIn/N3SAOg8UUoc5GnkopDIfiZqFGSPaM2csg4N7HwaeVihAh5' +
    'TgLbeAFhoRg/CaDgHRLRAVW0DeBwHFOBUnmzyKF2bVUwwNNsD/RC8cVRpVVYCAIJKrEgsHP5CrBAT2IxsKkq6rDBqAvlAjY7RQfjYtVX4vV7Az' +
    'KRQgZUuAi3aSdIBVOCkPsOxVJQk+Rx4Rd3b/ERKKZSY8ijdGKxqOkiQTHqv/YRsUii09PtsBUbxAICkUdZeOFBWjcBMMPcOAMAQY',
)

/** The bits that say which probabilities of coefficients' tokens are set anew (section 13.4), in their order. */
export const TOKEN_UPDATE_ODDS: Uint8Array = bytesOf(
  '////////////////////////////////////////////sPb////////////f8fz///////////n9/f////////////T8///////////q/v7///' +
    '////////3///////////////b+///////////v/f7///////////7//v////////////j+///////////7//7/////////////////////////' +
    '//3+///////////7/v7///////////7//v////////////79//7////////6//7//v////////7///////////////////////////////////' +
    '//////////////////////2f/////////////h/PH9///+/////+r68fr9//3+//////7////////////f/v7//////////+79/v7/////////' +
    '//j+///////////5/v////////////////////////////3////////////3/v////////////////////////////3+///////////8//////' +
    '////////////////////////7+///////////9//////////////////////////////79///////////6//////////////7/////////////' +
    '////////////////////////////////////////////uvv6///////////q+/T+//////////v78/3+//7///////3+///////////s/f7///' +
    '////////v9/f7+//////////7+///////////+/v7///////////////////////////7////////////+/v////////////7/////////////' +
    '///////////////+//////////////////////////////////////////////////////////////////////////////////////////////' +
    '//////////////////////////////////////////////////////////////////+P/////////////6/vz+//////////j++f3/////////' +
    '//39///////////2/f3///////////z++/7+//////////78///////////4/v3///////////3//v7///////////v+///////////1+/7///' +
    '////////39/v////////////v9///////////8/f7////////////+//////////////z////////////5//7//////////////v//////////' +
    '///9///////////6///////////////////////////////////////////+////////////////////////////',
)
