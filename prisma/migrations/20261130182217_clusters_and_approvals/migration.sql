-- AlterTable
ALTER TABLE "cluster" ADD COLUMN     "checked_at" TIMESTAMPTZ(3),
ADD COLUMN     "expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "is_cluster_admin" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "last_contact_at" TIMESTAMPTZ(3),
ADD COLUMN     "latency_ms" INTEGER,
ADD COLUMN     "linked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "linked_by_id" UUID,
ADD COLUMN     "origin" TEXT NOT NULL DEFAULT 'kubeconfig',
ADD COLUMN     "problem" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "rights" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN     "version" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "environment" ADD COLUMN     "approvers" JSONB NOT NULL DEFAULT '[]',
ADD COLUMN     "needs_approval" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "approval" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "digest" TEXT NOT NULL,
    "deployment_id" UUID,
    "title" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "is_bypass" BOOLEAN NOT NULL DEFAULT false,
    "requested_by_id" UUID NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "decided_by_id" UUID,
    "decided_at" TIMESTAMPTZ(3),
    "decision_reason" TEXT NOT NULL DEFAULT '',
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_by_id" UUID,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "approval_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "approval_environment_id_digest_idx" ON "approval"("environment_id", "digest");

-- CreateIndex
CREATE INDEX "approval_state_expires_at_idx" ON "approval"("state", "expires_at");

-- AddForeignKey
ALTER TABLE "approval" ADD CONSTRAINT "approval_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;
