import { createHmac, generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import {
  hmacSignature,
  type HmacSignatureOptions,
  type SignatureScheme,
  standardWebhooks,
} from "../../../src/tenon/webhooks/index.js";
import { OTHER_SECRET, SECRET } from "./exchange.js";

const body = Buffer.from('{"test": 2432232314}');
const message = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1614265330, body };

function verify(
  scheme: SignatureScheme,
  headers: Readonly<Record<string, string>>,
  bytes: Uint8Array = body,
): ReturnType<SignatureScheme["verify"]> {
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return scheme.verify({ body: bytes, header: (name) => lower[name.toLowerCase()] });
}

describe("Standard Webhooks", () => {
  const signed = standardWebhooks(SECRET).sign(message);
  const verified = { id: message.id, timestamp: message.timestamp };

  test("signs as the reference libraries do", () => {
    expect(signed).toEqual({
      "webhook-id": message.id,
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
    expect(verify(standardWebhooks(SECRET), signed)).toEqual(verified);
    // The prefix is optional.
    expect(verify(standardWebhooks(SECRET.slice(6)), signed)).toEqual(verified);
  });

  test("while a secret is rotated, either side may have the new one first", () => {
    const both = standardWebhooks([OTHER_SECRET, SECRET]);
    expect(both.sign(message)["webhook-signature"]?.split(" ")).toHaveLength(2);
    for (const scheme of [both, standardWebhooks(SECRET), standardWebhooks(OTHER_SECRET)])
      expect(verify(scheme, both.sign(message))).toEqual(verified);
    expect(verify(both, signed)).toEqual(verified);
  });

  test.each([
    ["another body", {}, Buffer.from('{"test": 2432232315}')],
    ["another time", { "webhook-timestamp": "1614265331" }, body],
    ["another id", { "webhook-id": "msg_2" }, body],
    ["a signature of another secret", standardWebhooks(OTHER_SECRET).sign(message), body],
    ["an unknown version", { "webhook-signature": "v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" }, body],
    [
      "the right signature as the eleventh",
      { "webhook-signature": `${"v1,AA== ".repeat(10)}${signed["webhook-signature"] ?? ""}` },
      body,
    ],
    ["an empty signature", { "webhook-signature": "v1," }, body],
  ])("refuses %s", (_, headers, bytes) => {
    expect(verify(standardWebhooks(SECRET), { ...signed, ...headers }, bytes)).toBe("signature");
  });

  test.each(["webhook-id", "webhook-timestamp", "webhook-signature"])(
    "refuses a request without %s",
    (name) => {
      const rest = Object.fromEntries(Object.entries(signed).filter(([key]) => key !== name));
      expect(verify(standardWebhooks(SECRET), rest)).toBe("header");
    },
  );

  test("a signature does not fit another division of the text between id, time and body", () => {
    const text = Buffer.from("2.{}");
    const split = standardWebhooks(SECRET).sign({ id: "msg", timestamp: 1, body: text });
    const moved = { ...split, "webhook-id": "msg.1", "webhook-timestamp": "2" };
    expect(verify(standardWebhooks(SECRET), moved, Buffer.from("{}"))).toBe("header");
    expect(() => standardWebhooks(SECRET).sign({ ...message, id: "msg.1" })).toThrow("without a dot");
  });

  test("signs with an Ed25519 key, and verifies with the public one", () => {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const { d = "", x = "" } = privateKey.export({ format: "jwk" });
    const seed = Buffer.from(d, "base64url");
    const open = Buffer.from(x, "base64url");
    const sender = standardWebhooks(`whsk_${Buffer.concat([seed, open]).toString("base64")}`);
    const receiver = standardWebhooks(`whpk_${open.toString("base64")}`);
    expect(publicKey.asymmetricKeyType).toBe("ed25519");
    const asymmetric = sender.sign(message);
    expect(asymmetric["webhook-signature"]).toMatch(/^v1a,/);
    expect(verify(receiver, asymmetric)).toEqual(verified);
    expect(verify(standardWebhooks(`whsk_${seed.toString("base64")}`), asymmetric)).toEqual(verified);
    expect(verify(receiver, asymmetric, Buffer.from("{}"))).toBe("signature");
    expect(verify(receiver, signed)).toBe("signature");
    expect(() => receiver.sign(message)).toThrow("A public key cannot sign");
  });

  test.each(["", "whsec_", "whsec_c2hvcnQ=", "whsec_not base64!", "whpk_AAAA", "secret with spaces"])(
    "refuses the secret %j, and does not repeat it",
    (secret) => {
      let thrown: unknown;
      try {
        standardWebhooks(secret);
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBeInstanceOf(TypeError);
      if (secret.length > 6) expect((thrown as Error).message).not.toContain(secret.slice(6));
    },
  );
});

const GITHUB: HmacSignatureOptions = {
  secrets: "It's a Secret to Everybody",
  header: "X-Hub-Signature-256",
  value: "sha256={signature}",
  idHeader: "X-GitHub-Delivery",
};
const STRIPE: HmacSignatureOptions = {
  secrets: "whsec_text",
  header: "Stripe-Signature",
  value: "t={timestamp},v1={signature}",
  content: "{timestamp}.{body}",
};
const SLACK: HmacSignatureOptions = {
  secrets: "8f742231b10e8888abcd99yyyzzz85a5",
  header: "X-Slack-Signature",
  value: "v0={signature}",
  content: "v0:{timestamp}:{body}",
  timestampHeader: "X-Slack-Request-Timestamp",
};

describe("HMAC in a header", () => {
  test("GitHub: verifies the example of its documentation", () => {
    const headers = {
      "X-Hub-Signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
      "X-GitHub-Delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0958",
    };
    const bytes = Buffer.from("Hello, World!");
    expect(verify(hmacSignature(GITHUB), headers, bytes)).toEqual({ id: headers["X-GitHub-Delivery"] });
    expect(verify(hmacSignature(GITHUB), headers, Buffer.from("Hello, World"))).toBe("signature");
  });

  test("Slack: verifies the example of its documentation", () => {
    const text =
      "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
    const headers = {
      "X-Slack-Signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
      "X-Slack-Request-Timestamp": "1531420618",
    };
    expect(verify(hmacSignature(SLACK), headers, Buffer.from(text))).toEqual({ timestamp: 1531420618 });
    expect(
      verify(
        hmacSignature(SLACK),
        { ...headers, "X-Slack-Request-Timestamp": "1531420619" },
        Buffer.from(text),
      ),
    ).toBe("signature");
  });

  test("Stripe: several signatures, other parts and the order are allowed", () => {
    const mac = (secret: string) =>
      createHmac("sha256", secret).update(`1614265330.${body.toString()}`).digest("hex");
    const header = `v0=old, v1=${mac("another")},t=1614265330,v1=${mac("whsec_text")}`;
    expect(verify(hmacSignature(STRIPE), { "Stripe-Signature": header })).toEqual({ timestamp: 1614265330 });
    expect(verify(hmacSignature(STRIPE), { "Stripe-Signature": `t=1614265330,v1=${mac("another")}` })).toBe(
      "signature",
    );
    expect(verify(hmacSignature(STRIPE), { "Stripe-Signature": `v1=${mac("whsec_text")}` })).toBe("header");
  });

  test.each([
    ["GitHub", GITHUB, { id: message.id, timestamp: undefined }],
    ["Slack", SLACK, { id: undefined, timestamp: message.timestamp }],
    ["Stripe", STRIPE, { id: undefined, timestamp: message.timestamp }],
    [
      "another",
      { secrets: "a", header: "X-Signature", algorithm: "sha512", encoding: "base64" } as const,
      {},
    ],
  ])("%s: verifies what it signs", (_, options, verified) => {
    const scheme = hmacSignature(options);
    expect(verify(scheme, scheme.sign(message))).toEqual({
      id: undefined,
      timestamp: undefined,
      ...verified,
    });
    expect(verify(scheme, {})).toBe("header");
    const rotated = hmacSignature({ ...options, secrets: ["next", options.secrets as string] });
    expect(verify(rotated, scheme.sign(message))).toMatchObject(verified);
  });

  test.each([
    [{ value: "sha256=" }, "Every part of `value`"],
    [{ value: "t={timestamp}" }, "Every part of `value`"],
    [{ content: "{timestamp}" }, "`content` must end with {body}"],
    [{ content: "{timestamp}.{body}" }, "`content` signs {timestamp}"],
    [{ secrets: [] }, "needs a secret"],
  ])("refuses the options %j", (options, message_) => {
    expect(() => hmacSignature({ secrets: "a", header: "X-Signature", ...options })).toThrow(message_);
  });
});
