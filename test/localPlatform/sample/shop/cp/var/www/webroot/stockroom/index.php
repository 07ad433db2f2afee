<?php

declare(strict_types=1);

require __DIR__ . '/lib/shelf.php';

$shelves = read_shelves(__DIR__ . '/counts/März 2026.csv');
$empty = array_filter($shelves, static fn (array $shelf): bool => $shelf['left'] === 0);
?>
<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>Stockroom</title>
  <link rel="stylesheet" href="stockroom.css">
</head>
<body>
  <img src="logo.png" alt="" width="48" height="48">
  <h1>Stockroom</h1>
  <p><?= count($shelves) ?> shelves counted, <?= count($empty) ?> of them empty.</p>
  <table>
    <tr><th>Shelf</th><th>Goods</th><th>Left</th></tr>
    <?php foreach ($shelves as $shelf): ?>
      <tr class="<?= $shelf['left'] < 5 ? 'low' : 'fine' ?>">
        <td><?= htmlspecialchars($shelf['shelf']) ?></td>
        <td><?= htmlspecialchars($shelf['goods']) ?></td>
        <td><?= $shelf['left'] ?></td>
      </tr>
    <?php endforeach ?>
  </table>
</body>
</html>
