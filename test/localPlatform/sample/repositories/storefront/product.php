<?php

declare(strict_types=1);

require __DIR__ . '/src/Catalogue.php';

$tea = Catalogue::withSampleTeas()->find((int) ($_GET['id'] ?? 0));
if ($tea === null) {
    http_response_code(404);
}
$title = $tea === null ? 'No such tea' : $tea->title;

require __DIR__ . '/templates/header.php';
?>
<?php if ($tea === null): ?>
  <p>We do not have this one. <a href="/">Look at what we have</a>.</p>
<?php else: ?>
  <p><?= htmlspecialchars($tea->note) ?></p>
  <form method="post" action="basket.php">
    <input type="hidden" name="id" value="<?= $tea->id ?>">
    <label>Packets <input type="number" name="pieces" value="1" min="1" max="20"></label>
    <button>Into the basket</button>
  </form>
<?php endif ?>
<?php require __DIR__ . '/templates/footer.php';
