import "server-only";
import { isObject, objectAt, textAt, type Json, type JsonObject } from "../json";
import { attributesOf, type Decision, type Rbac } from "./rbac";
import type { User } from "./user";

type Review = { body: JsonObject; user: User; rbac: Rbac; time: string };

function fieldTree(value: Json | undefined): JsonObject {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.keys(value).map((key) => [`f:${key}`, {}]));
}

/** Reviews are never stored, yet the server tracks who wrote which of their fields. */
function reviewMetadata(body: JsonObject, time: string): JsonObject {
  const spec = objectAt(body, "spec");
  const fields = Object.fromEntries(
    Object.keys(spec)
      .sort()
      .map((key) => [`f:${key}`, isObject(spec[key]) ? { ".": {}, ...fieldTree(spec[key]) } : {}]),
  );
  const entry = {
    manager: "unknown",
    operation: "Update",
    apiVersion: textAt(body, "apiVersion") ?? "",
    time,
    fieldsType: "FieldsV1",
    fieldsV1: { "f:spec": fields },
  };
  return { managedFields: [entry] };
}

function decisionStatus({ allowed, reason }: Decision): JsonObject {
  return reason === undefined ? { allowed } : { allowed, reason };
}

function decide(review: Review, user: User): JsonObject {
  const spec = objectAt(review.body, "spec");
  const path = objectAt(spec, "nonResourceAttributes");
  const decision = isObject(spec.nonResourceAttributes)
    ? review.rbac.decidePath(user, textAt(path, "path") ?? "", textAt(path, "verb") ?? "")
    : review.rbac.decide(user, attributesOf(spec));
  return decisionStatus(decision);
}

function accessReview(review: Review): JsonObject {
  const { body, time } = review;
  return {
    kind: body.kind,
    apiVersion: body.apiVersion,
    metadata: reviewMetadata(body, time),
    spec: body.spec ?? {},
    status: decide(review, review.user),
  };
}

function subjectReview(review: Review): JsonObject {
  const { body, time } = review;
  const spec = objectAt(body, "spec");
  const groups = Array.isArray(spec.groups) ? spec.groups.filter((group) => typeof group === "string") : [];
  const subject: User = { name: textAt(spec, "user") ?? "", uid: textAt(spec, "uid") ?? "", groups, extra: {} };
  return { kind: body.kind, apiVersion: body.apiVersion, metadata: reviewMetadata(body, time), spec, status: decide(review, subject) };
}

function rulesReview({ body, user, rbac }: Review): JsonObject {
  const rules = rbac.rules(user, textAt(body, "spec", "namespace") ?? "");
  const pick = (rule: JsonObject, fields: string[]): JsonObject =>
    Object.fromEntries(fields.filter((field) => rule[field] !== undefined).map((field) => [field, rule[field]]));
  const resourceRules = rules
    .filter((rule) => rule.resources !== undefined)
    .map((rule) => pick(rule, ["verbs", "apiGroups", "resources", "resourceNames"]));
  const nonResourceRules = rules
    .filter((rule) => rule.nonResourceURLs !== undefined)
    .map((rule) => pick(rule, ["verbs", "nonResourceURLs"]));
  return {
    kind: body.kind,
    apiVersion: body.apiVersion,
    metadata: {},
    spec: {},
    status: { resourceRules, nonResourceRules, incomplete: false },
  };
}

function whoAmI({ body, user, time }: Review): JsonObject {
  const userInfo: JsonObject = { username: user.name };
  if (user.uid !== "") userInfo.uid = user.uid;
  userInfo.groups = user.groups;
  if (Object.keys(user.extra).length > 0) userInfo.extra = user.extra;
  return { kind: body.kind, apiVersion: body.apiVersion, metadata: { creationTimestamp: time }, status: { userInfo } };
}

const reviews: Record<string, (review: Review) => JsonObject> = {
  selfsubjectaccessreviews: accessReview,
  subjectaccessreviews: subjectReview,
  localsubjectaccessreviews: subjectReview,
  selfsubjectrulesreviews: rulesReview,
  selfsubjectreviews: whoAmI,
};

/** The answer to a review that is created but never stored; undefined for other resources. */
export function answerReview(plural: string, review: Review): JsonObject | undefined {
  return reviews[plural]?.(review);
}
